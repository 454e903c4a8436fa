import Foundation
import TestSupport

/// A scenario that several tests look at: the first to ask has the guest run it, the others use what
/// it left.
actor Scenario {
    static let camera = Scenario("camera") { share in
        try Sound.tone(seconds: 290, to: share.appending(path: "tone.wav"))
    }
    static let unplug = Scenario("unplug") { share in
        try Sound.tone(seconds: 290, to: share.appending(path: "tone.wav"))
    }
    static let stamps = Scenario("stamps") { share in
        try Sound.tone(seconds: 120, to: share.appending(path: "tone.wav"))
    }
    static let motionJPEG = Scenario("motion-jpeg") { share in
        try Movie.makeFootage(share.appending(path: "footage.mkv"))
    }
    static let outputs = Scenario("outputs") { share in
        try OutputFootage.make(share.appending(path: "footage.mkv"))
    }
    static let depth = Scenario("depth") { share in
        try DepthFootage().make(share.appending(path: "depth.mkv"))
    }
    static let signal = Scenario("signal") { share in
        try Sound.tone(seconds: 120, to: share.appending(path: "tone.wav"))
    }
    static let soundCards = Scenario("sound-cards") { share in
        try Sound.tone(seconds: 60, to: share.appending(path: "tone.wav"))
    }
    static let settings = Scenario("settings") { _ in }
    static let refusals = Scenario("refusals") { _ in }
    static let silent = Scenario("silent", arguments: [Installation.testBundle]) { _ in }
    static let clock = Scenario("clock", arguments: ["68"]) { share in
        try Sound.beeps(seconds: 110, to: share.appending(path: "beeps.wav"))
    }

    private let name: String
    private let arguments: [String]
    private let prepare: @Sendable (URL) throws -> Void
    private var outcome: Result<Guest, any Error>?

    init(
        _ name: String, arguments: [String] = [], prepare: @escaping @Sendable (URL) throws -> Void
    ) {
        self.name = name
        self.arguments = arguments
        self.prepare = prepare
    }

    func guest() throws -> Guest {
        if let outcome { return try outcome.get() }
        var ran = Result { try run() }
        // a host that stood still for seconds proves nothing: once more, and then as it is
        if case .success(let guest) = ran, !guest.text("stalled").isEmpty {
            ran = Result { try run() }
        }
        outcome = ran
        return try ran.get()
    }

    private func run() throws -> Guest {
        let share = try Guest.emptyShare(name)
        try prepare(share)
        return try ServingGuest.shared.run(
            name, [Program.vcap.path] + arguments, in: share, timeout: 300)
    }

    /// - Parameter ending: of the movie's name.
    func take(_ name: String, ending: String = "mp4") throws -> Take {
        try Take(name, ending: ending, in: try guest())
    }
}
