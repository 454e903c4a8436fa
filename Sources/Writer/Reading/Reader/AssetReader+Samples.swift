public import Media

extension AssetReader {
    /// An output's samples as a sequence, for tasks: they are made on a thread of its own, one when it is
    /// asked for. The first one starts the reader, unless it was started before.
    ///
    /// In a cancelled task it ends by throwing `cancelled`; the reader stays as it is.
    /// - Parameter output: one that was added to this reader.
    public func samples(of output: any AssetReaderOutput) -> Samples {
        Samples(reader: self, output: output)
    }

    /// Samples of an output until its end. Each iteration continues where the last one ended.
    public struct Samples: AsyncSequence, Sendable {
        public typealias Element = SampleBuffer
        public typealias Failure = MediaError

        let reader: AssetReader
        let output: any AssetReaderOutput

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(worker: SampleWorker(reader, output))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            let worker: SampleWorker

            /// - Throws: as `AssetReader.start` and `AssetReaderOutput.next`.
            public mutating func next() async throws(MediaError) -> SampleBuffer? {
                try await worker.next()
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(MediaError) -> SampleBuffer? {
                try await worker.next()
            }
        }
    }
}

/// A thread that makes samples when they are asked for, until nobody can ask any more.
final class SampleWorker: Sendable {
    private typealias Answer = Result<SampleBuffer?, MediaError>
    private let requests = BoundedQueue<CheckedContinuation<Answer, Never>>(capacity: 1)

    init(_ reader: AssetReader, _ output: any AssetReaderOutput) {
        NamedThread(name: "vcap-reader") { [requests] in
            while let request = requests.pop() {
                request.resume(
                    returning: Answer { () throws(MediaError) in
                        try reader.startOnce()
                        return try output.next()
                    })
            }
        }.detach()
    }

    deinit { requests.finish() }

    func next() async throws(MediaError) -> SampleBuffer? {
        guard !Task.isCancelled else {
            throw MediaError(
                code: .cancelled, subject: "read a sample",
                message: "Nothing more was read: the task was cancelled.")
        }
        let answer = await withCheckedContinuation { request in
            _ = requests.pushWaiting(request)
        }
        return try answer.get()
    }
}
