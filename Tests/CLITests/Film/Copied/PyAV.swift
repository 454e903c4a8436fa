import Foundation
import TestSupport

/// A newer FFmpeg than the system's, in the package PyAV of PyPI: it plays a film, and seeks to places of it.
enum PyAV {
    static let python = Program.python(importing: "av")

    /// Writes all frames (4:2:0 of 8 bits), then for each time (seconds) the one that is shown then, sought; on the standard
    /// error whatever FFmpeg complains of, and how many of both there were.
    private static let script = """
        import sys, av, av.logging
        av.logging.set_level(av.logging.ERROR)

        def write(frame):
            for number, plane in enumerate(frame.planes):
                width = frame.width if number == 0 else (frame.width + 1) // 2
                rows = frame.height if number == 0 else (frame.height + 1) // 2
                view = memoryview(plane)
                for row in range(rows):
                    start = row * plane.line_size
                    sys.stdout.buffer.write(view[start:start + width])

        path, times = sys.argv[1], [float(text) for text in sys.argv[2:]]
        with av.open(path) as movie:
            played = 0
            for frame in movie.decode(video=0):
                write(frame)
                played += 1
        sought = 0
        with av.open(path) as movie:
            stream = movie.streams.video[0]
            for time in times:
                target = round(time / stream.time_base)
                movie.seek(target, stream=stream, backward=True)
                shown = None
                for frame in movie.decode(stream):
                    if shown is not None and frame.pts > target:
                        break
                    shown = frame
                if shown is not None:
                    write(shown)
                    sought += 1
        print("played", played, "sought", sought, file=sys.stderr)
        """

    struct Answer {
        /// All frames, then those that were sought.
        let bytes: [UInt8]
        let played: Int
        let sought: Int
        /// What was said besides.
        let complaints: String
    }

    /// - Parameter times: that are sought (seconds of the container).
    static func play(_ path: String, seeking times: [Double]) throws -> Answer? {
        guard let python else { return nil }
        let result = try python.run(["-c", script, path] + times.map { String($0) })
        var lines = result.errorText.split(whereSeparator: \.isNewline).map(String.init)
        let counts = (lines.last ?? "").split(separator: " ")
        guard counts.count == 4, counts[0] == "played", let played = Int(counts[1]),
            let sought = Int(counts[3])
        else {
            return Answer(
                bytes: result.output, played: 0, sought: 0, complaints: result.errorText)
        }
        lines.removeLast()
        return Answer(
            bytes: result.output, played: played, sought: sought,
            complaints: lines.joined(separator: "; "))
    }
}
