internal import Glibc

extension Verbs {
    static let detect = Command(
        "detect", "find codes, faces, bodies and cats in a movie or in what a camera shows",
        operands: .init(synopsis: "[CLIP]", count: 0...1, completion: .files),
        groups: DetectOptions.groups,
        notes: """
            Codes are QR, Aztec, Data Matrix, PDF417, Code 39, Code 93, Code 128, Codabar, ITF, EAN-8, EAN-13, \
            UPC-A and UPC-E. Faces and cats' faces are found that look at the camera, bodies that stand or walk. \
            Each is printed when it comes into view (for the first time in a second): time, kind, place in pixels \
            (WIDTHxHEIGHT+LEFT+TOP), and a code's text or the number that a face, body or cat keeps. With --json each \
            frame that shows something is a line: corners and bounds are in parts of the upright frame, times exact, \
            as ticks/timescale; a camera's are of the host clock, and seconds count from its start.
            Of a movie the first video track is looked at. vcap record --detect finds the same while it records.
            """,
        examples: [
            .init(line: "vcap detect clip.mp4", meaning: "what comes into view, and when"),
            .init(
                line: "vcap detect -c 0 --kinds faces,qr --json",
                meaning: "of a camera, a line of JSON for each frame with a face or a QR code"),
            .init(
                line: "vcap detect take.mp4 --recorded --json",
                meaning: "what was found while the take was recorded"),
        ],
        endsBySignal: true
    ) { arguments in
        // of a camera it is the usual end, with what was seen; of a movie there is more to come
        SignalListener.listenForEnd { _ in _exit(ExitCode.failedRunning.rawValue) }
        try await DetectCommand(plan: DetectPlan(arguments), aliases: arguments.aliases).run()
        return .done
    }
}
