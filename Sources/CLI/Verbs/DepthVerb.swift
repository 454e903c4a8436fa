internal import Glibc
import Media

extension Verbs {
    static let depth = Command(
        "depth", "take the depth out of a photo, or compute that of a stereo pair of movies",
        operands: .init(synopsis: "[PHOTO]", count: 0...1, completion: .files),
        groups: StereoOptions.groups,
        notes: """
            With a PHOTO that has depth in it (vcap photo --depth-camera, and Android's cameras: Dynamic Depth) its map \
            becomes a PNG of 16-bit grey, upright: the values of vcap's photos as they were, to the unit; distances in \
            those of others rounded once. --unit makes steps of another unit of them. All other options are about a pair.
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
                line: "vcap depth shot.jpg -o depth.png",
                meaning: "the depth map in a photo, to the unit"),
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
        if let photo = arguments.operands.first {
            let extraction = try DepthExtraction(photo, arguments)
            try await NamedThread.run("vcap-work") { try extraction.run() }
            return .done
        }
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
