public import Media

extension ImageGenerator {
    /// Images of several times, in order of time. Each run through it has a decoder of its own.
    public struct Images: AsyncSequence, Sendable {
        public typealias Failure = Never

        /// What became of one time.
        public enum Element: Sendable {
            case success(requestedTime: MediaTime, image: PixelBuffer, actualTime: MediaTime)
            case failure(requestedTime: MediaTime, error: MediaError)

            public var requestedTime: MediaTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// - Throws: why there is none.
            public var image: PixelBuffer {
                get throws(MediaError) {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// When the image's picture begins to be shown.
            /// - Throws: why there is none.
            public var actualTime: MediaTime {
                get throws(MediaError) {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        let times: [MediaTime]
        let requests: ImageRequests
        let round: Int
        let open: @Sendable () throws(MediaError) -> any ImageSource

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(images: self, worker: ImageWorker(open))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            let images: Images
            let worker: ImageWorker
            private var made = 0

            init(images: Images, worker: ImageWorker) {
                self.images = images
                self.worker = worker
            }

            public mutating func next() async -> Element? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
                guard made < images.times.count, !Task.isCancelled else { return nil }
                let time = images.times[made]
                made += 1
                let answer = await images.requests.image(
                    at: time, in: images.round, by: worker)
                switch answer {
                case .success(let made):
                    return .success(
                        requestedTime: time, image: made.image, actualTime: made.actualTime)
                case .failure(let error):
                    return Task.isCancelled ? nil : .failure(requestedTime: time, error: error)
                }
            }
        }
    }
}
