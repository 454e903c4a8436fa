internal import Glibc

extension Verbs {
    static let depth = Command(
        "depth", "compute the depth of a stereo pair of movies",
        groups: StereoOptions.groups,
        notes: """
            Both movies must be rectified: free of distortion, and each row of both shows the same. Frames that are \
            nearer in time than half a frame are a pair. What only one camera sees, what has no texture, and \
            as many columns at the left edge, is unknown (0). What is nearer than --max-disparity allows is unknown or \
            wrong: choose it for the nearest thing in view.
            The track is FFV1 of 16 bits, and says its unit, the focal length and the baseline. vcap record --depth \
            records a camera that measures depth by itself, vcap record --stereo computes depth of two cameras while \
            they are recorded.
            """,
        examples: [
            .init(
                line:
                    "vcap depth --left a.mp4 --right b.mp4 --baseline 6cm --focal 700px -o depth.mkv",
                meaning: "disparity in 16ths of a pixel"),
            .init(
                line:
                    "vcap depth --left a.mp4 --right b.mp4 --baseline 6cm --focal 700px --unit 1mm -o d.mkv",
                meaning: "distances in millimetres"),
            .init(
                line:
                    "vcap depth --left a.mp4 --right b.mp4 --baseline 9cm --focal 900px --max-disparity 128 -o d.mkv",
                meaning: "things that are near"),
        ],
        endsBySignal: true
    ) { arguments in
        let plan = try StereoPlan(arguments)
        let task = Task { try await StereoCommand(plan: plan).run() }
        SignalListener.listenForEnd { number in
            guard number > 1 else { return task.cancel() }
            _exit(ExitCode.failedRunning.rawValue)
        }
        do { try await task.value } catch  where PhotoCommand.isCancellation(error) {
            throw CommandFailure(.failedRunning, "ended by a signal; nothing was written")
        }
        return .done
    }
}
