internal import Media

/// An image that somebody waits for. Thread-safe.
final class ImageRequest: Sendable {
    typealias Answer = Result<GeneratedImage, MediaError>

    private enum State: Sendable {
        case new
        case waiting(CheckedContinuation<Answer, Never>)
        case answered(Answer)
    }

    let time: MediaTime
    private let state = Lock(State.new)

    init(_ time: MediaTime) { self.time = time }

    var isAnswered: Bool {
        state.withLock { if case .answered = $0 { true } else { false } }
    }

    /// The first answer counts.
    func answer(_ answer: Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            defer { if case .answered = state {} else { state = .answered(answer) } }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    /// - Returns: whether there is no answer yet.
    func wait(_ continuation: CheckedContinuation<Answer, Never>) -> Bool {
        let known = state.withLock { state -> Answer? in
            if case .answered(let answer) = state { return answer }
            state = .waiting(continuation)
            return nil
        }
        if let known { continuation.resume(returning: known) }
        return known == nil
    }
}

/// A thread that makes images when they are asked for, one after the other, until nobody can ask any
/// more. What it makes them of is opened by the first one and lives on that thread. Thread-safe.
final class ImageWorker: Sendable {
    private let requests = BoundedQueue<ImageRequest>(capacity: .max)

    init(_ open: @escaping @Sendable () throws(MediaError) -> any ImageSource) {
        NamedThread(name: "vcap-images") { [requests] in
            var source: (any ImageSource)?
            while let request = requests.pop() {
                guard !request.isAnswered else { continue }
                request.answer(
                    ImageRequest.Answer { () throws(MediaError) in
                        let images: any ImageSource
                        if let source { images = source } else { images = try open() }
                        source = images
                        return try images.image(at: request.time)
                    })
            }
        }.detach()
    }

    deinit { requests.finish() }

    /// Suspends until the request is answered, by the thread or by the canceller.
    func answer(_ request: ImageRequest) async -> ImageRequest.Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if request.wait(continuation) { _ = requests.push(request) }
            }
        } onCancel: {
            request.answer(.failure(.cancelledImage(request.time)))
        }
    }
}

/// Everything that was asked of one generator, so that it can be cancelled. Thread-safe.
final class ImageRequests: Sendable {
    private struct State: Sendable {
        var waiting: [ObjectIdentifier: ImageRequest] = [:]
        /// How often everything was cancelled.
        var round = 0
    }

    private let state = Lock(State())

    var round: Int { state.withLock { $0.round } }

    /// - Parameter round: in which it was asked for; one that was cancelled is answered at once.
    func image(
        at time: MediaTime, in round: Int, by worker: ImageWorker
    ) async -> ImageRequest.Answer {
        let request = ImageRequest(time)
        let isWanted = state.withLock { state in
            guard state.round == round else { return false }
            state.waiting[ObjectIdentifier(request)] = request
            return true
        }
        guard isWanted else { return .failure(.cancelledImage(time)) }
        let answer = await worker.answer(request)
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(request)) }
        return answer
    }

    func cancel() {
        let waiting = state.withLock { state in
            state.round += 1
            return Array(state.waiting.values)
        }
        for request in waiting { request.answer(.failure(.cancelledImage(request.time))) }
    }
}

extension MediaError {
    static func cancelledImage(_ time: MediaTime) -> MediaError {
        MediaError(
            code: .cancelled, subject: "image",
            message: "The image at \(time.spoken) was cancelled before it was made.")
    }
}
