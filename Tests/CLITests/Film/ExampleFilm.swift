import Foundation
import TestSupport
import Testing

/// A project of docs/examples, exported at a small size from media that the script beside it makes.
struct ExampleFilm {
    /// Of the film's frames, in the tests.
    struct Frame {
        let width: Int
        let height: Int
        /// Red, green and blue, one pixel after the other.
        let bytes: [UInt8]

        func pixel(_ x: Double, _ y: Double) -> [Int] {
            let column = min(width - 1, Int(x * Double(width)))
            let start = (min(height - 1, Int(y * Double(height))) * width + column) * 3
            return bytes[start..<(start + 3)].map(Int.init)
        }

        /// How many pixels in a thousand are so.
        func share(
            x: ClosedRange<Double> = 0...1, y: ClosedRange<Double> = 0...1,
            _ isSo: (_ red: Int, _ green: Int, _ blue: Int) -> Bool
        ) -> Int {
            var (count, all) = (0, 0)
            for row in Int(y.lowerBound * Double(height))..<Int(y.upperBound * Double(height)) {
                for column in Int(x.lowerBound * Double(width))..<Int(x.upperBound * Double(width))
                {
                    let start = (row * width + column) * 3
                    all += 1
                    if isSo(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2])) {
                        count += 1
                    }
                }
            }
            return count * 1000 / max(all, 1)
        }

        /// How many pixels beside each other in a row are so, at most.
        func longestRun(
            y: ClosedRange<Double>, _ isSo: (_ red: Int, _ green: Int, _ blue: Int) -> Bool
        ) -> Int {
            var best = 0
            for row in Int(y.lowerBound * Double(height))..<Int(y.upperBound * Double(height)) {
                var run = 0
                for start in stride(from: row * width * 3, to: (row + 1) * width * 3, by: 3) {
                    let holds = isSo(
                        Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
                    run = holds ? run + 1 : 0
                    best = max(best, run)
                }
            }
            return best
        }

        /// Mean difference between neighbours in a row: what a mosaic takes away.
        func detail(x: ClosedRange<Double>, y: ClosedRange<Double>) -> Double {
            var (sum, count) = (0, 0)
            for row in Int(y.lowerBound * Double(height))..<Int(y.upperBound * Double(height)) {
                for column in Int(x.lowerBound * Double(width))..<Int(x.upperBound * Double(width))
                {
                    let start = (row * width + column) * 3
                    sum += abs(Int(bytes[start + 1]) - Int(bytes[start + 4]))
                    count += 1
                }
            }
            return Double(sum) / Double(max(count, 1))
        }
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/examples").standardized

    let name: String
    let width: Int
    let height: Int
    let place: TemporaryFolder
    /// What the export printed on standard error.
    let said: String

    var movie: MovieOracle { MovieOracle(place.file("\(name).mp4")) }

    init(_ name: String, width: Int = 320, height: Int = 180) throws {
        (self.name, self.width, self.height) = (name, width, height)
        place = try TemporaryFolder(in: "/tmp")
        try FileManager.default.copyItem(
            atPath: Self.folder.appending(path: "\(name).vcap.json5").path,
            toPath: place.file("\(name).vcap.json5"))
        let made = try Program(path: Self.folder.appending(path: "make-media").path).run(
            [place.file("media"), name], environment: ["VCAP": Program.vcap.path])
        try #require(made.status == 0, "\(made.errorText)")
        let result = try Program.vcap.run(
            [
                "export", "\(name).vcap.json5", "--set", "size=\(width)x\(height)", "-o",
                "\(name).mp4", "--contact-sheet", "sheet.png",
            ], environment: ["HOME": place.path], in: place.path)
        try #require(result.status == 0, "\(result.errorText)")
        said = result.errorText
    }

    /// Lines that warn.
    var warnings: [String] {
        said.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains("warning") }
    }

    /// Frames by their numbers from 0, which stand in order.
    func frames(_ numbers: Int..., of file: String? = nil) throws -> [Frame] {
        let choice = numbers.map { "eq(n,\($0))" }.joined(separator: "+")
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", file ?? movie.path, "-vf",
            "select='\(choice)',scale=\(width):\(height),format=rgb24", "-fps_mode", "passthrough",
            "-f", "rawvideo", "-",
        ])
        let size = width * height * 3
        try #require(result.output.count == size * numbers.count, "\(result.errorText)")
        return numbers.indices.map {
            Frame(
                width: width, height: height,
                bytes: Array(result.output[($0 * size)..<(($0 + 1) * size)]))
        }
    }

    /// What ffmpeg's meter says of all of it (LUFS).
    func loudness() throws -> Double {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-hide_banner", "-nostats", "-i", movie.path, "-vn", "-af",
            "ebur128=framelog=verbose", "-f", "null", "-",
        ])
        let words = result.errorText.split(whereSeparator: \.isWhitespace)
        let place = try #require(words.lastIndex { $0 == "I:" })
        return try #require(Double(words[place + 1]))
    }

    /// As the container states it, edit list applied (seconds).
    func audioLength() throws -> Double {
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=duration", "-of",
            "csv=p=0", movie.path,
        ])
        let text = result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        return try #require(Double(text))
    }

    func chapters() throws -> [String] {
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_chapters", "-show_entries",
            "chapter=start_time:chapter_tags=title",
            "-of", "csv=p=0", movie.path,
        ])
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The document of its plan, of the project or of another one beside it.
    func plan(_ project: String? = nil) throws -> [String: Any] {
        let result = try Program.vcap.run(
            ["export", project ?? "\(name).vcap.json5", "--plan", "--json", "-o", "other.mp4"],
            environment: ["HOME": place.path], in: place.path)
        try #require(result.status == 0, "\(result.errorText)")
        let document = try JSONSerialization.jsonObject(with: Data(result.output))
        return try #require(document as? [String: Any])
    }

    /// The sheet as the guide has it: small, as JPEG.
    func sheet(width: Int) throws -> String {
        let made = place.file("sheet.jpg")
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", place.file("sheet.png"), "-vf",
            "scale=\(width):-2:flags=lanczos", "-q:v", "6", "-y", made,
        ])
        try #require(result.status == 0, "\(result.errorText)")
        return made
    }
}

/// Level of one frequency, or of all, in a part of some audio.
enum ExampleLevel {
    /// (dB of full scale, a sine's peak)
    static func tone(_ hertz: Double, _ sound: [Float], _ part: ClosedRange<Double>) -> Double {
        var (cosine, sine) = (0.0, 0.0)
        let range = Int(part.lowerBound * 48_000)..<Int(part.upperBound * 48_000)
        for index in range {
            let phase = 2 * Double.pi * hertz * Double(index) / 48_000
            // a window keeps neighbours away
            let window =
                1 - cos(2 * Double.pi * Double(index - range.lowerBound) / Double(range.count))
            cosine += Double(sound[index]) * cos(phase) * window
            sine += Double(sound[index]) * sin(phase) * window
        }
        let peak = 2 * (cosine * cosine + sine * sine).squareRoot() / Double(range.count)
        return 20 * log10(max(peak, 1e-9))
    }

    /// (dB of full scale, RMS)
    static func all(_ sound: [Float], _ part: ClosedRange<Double>) -> Double {
        let samples = sound[Int(part.lowerBound * 48_000)..<Int(part.upperBound * 48_000)]
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return 10 * log10(max(power, 1e-15))
    }
}
