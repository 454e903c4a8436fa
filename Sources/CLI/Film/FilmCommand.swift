import Compose
import Media

/// From a timeline to what was asked for: loads the sources, builds the film, exports it.
struct FilmCommand: Sendable {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run(_ timeline: Timeline) async throws -> ExitCode {
        let film = try await Self.load(timeline)
        return try await FilmExport(film, title: timeline.settings.title, arguments).run()
    }

    static func load(_ timeline: Timeline) async throws -> Film {
        try await BlockingCall.run { try TimelineBuilder.film(loading: timeline) }
    }
}

/// Work that blocks, away from Swift's own threads.
enum BlockingCall {
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { next in
            NamedThread(name: "vcap-work") {
                next.resume(with: Swift.Result { try work() })
            }.detach()
        }
    }
}
