import Foundation
import Media
import TestSupport
import Testing

extension Tag {
    /// Runs as long as what it records.
    @Tag static var realTime: Tag
    /// Of those in real time, what takes a quarter of one processor at most: scripts/test runs them beside the others.
    @Tag static var mostlyWaits: Tag
}

/// The parts of a take's report that tests look at.
struct ReportedTake: Decodable {
    struct Pause: Decodable {
        var movieTime: Double
        var start: Double
        var end: Double?
        var length: Double?
    }

    struct Clocks: Decodable {
        var start: Double
        var end: Double?
    }

    struct Track: Decodable {
        struct Gap: Decodable {
            var cause: String
        }
        var drops: [String: Int]
        var gaps: [Gap]
    }

    var state: String
    var verdict: String
    var duration: Double
    var pauses: [Pause]
    var clocks: Clocks
    var tracks: [Track]

    init(movie path: String) throws {
        let name = String(path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex))
        let data = try Data(contentsOf: URL(fileURLWithPath: name + ".vcap.json"))
        self = try JSONDecoder().decode(ReportedTake.self, from: data)
    }
}

/// A movie of the test camera and microphone, read by ffmpeg.
struct TestMovie {
    /// Frames with consecutive numbers: what was recorded between two pauses.
    struct Run {
        var frames: Range<Int>
        var firstNumber: Int
    }

    let numbers: [Int]
    /// When each frame is shown (s).
    let times: [Double]
    /// Whether each frame is a flash.
    let flashes: [Bool]
    let sound: [Float]
    let duration: Double

    static let rate = 30.0
    static let sampleRate = 48_000

    init(_ path: String) throws {
        let oracle = MovieOracle(path)
        numbers = try oracle.frameNumbers()
        times = try oracle.presentationTimes()
        flashes = try TestMovie.flashes(path)
        sound = try oracle.sound(sampleRate: TestMovie.sampleRate)
        duration = try oracle.duration()
    }

    private static func flashes(_ path: String) throws -> [Bool] {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let filter = "crop=iw:ih*5/6:0:ih/6,format=gray,scale=1:1:flags=area"
        let result = try ffmpeg.run([
            "-v", "error", "-i", path, "-map", "0:v", "-vf", filter, "-fps_mode", "passthrough",
            "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        return result.output.map { $0 > 210 }
    }

    var runs: [Run] {
        var runs: [Run] = []
        for (index, number) in numbers.enumerated() {
            if index > 0, number == numbers[index - 1] + 1 {
                runs[runs.count - 1].frames = runs[runs.count - 1].frames.lowerBound..<index + 1
            } else {
                runs.append(Run(frames: index..<index + 1, firstNumber: number))
            }
        }
        return runs
    }

    /// How far each whole beep is from its flash (s). Flashes beside a cut are left out: the fade or
    /// the cut touches their beep.
    func offsets(in run: Run) -> [Double] {
        let whole = run.frames.dropFirst(1).dropLast(2)
        return whole.filter { flashes[$0] }.map { offset(at: times[$0]) }
    }

    /// How far the beep near a time is from it (s); infinite when there is none.
    private func offset(at time: Double) -> Double {
        let rate = Double(TestMovie.sampleRate)
        let start = max(0, Int((time - 0.02) * rate))
        let end = min(sound.count, Int((time + 0.08) * rate))
        guard start < end else { return .infinity }
        let beeps = FlashBeep.beeps(
            in: Array(sound[start..<end]), sampleRate: TestMovie.sampleRate)
        return beeps.map { Double(start + $0) / rate - time }.min { abs($0) < abs($1) }
            ?? .infinity
    }

    /// The largest step between neighbouring samples of audio, away from the movie's two ends: what
    /// begins and ends there in the midst of audio makes a coder ring, and its reader may hand out
    /// the silence that fills its last packet.
    var largestStep: Float {
        let edge = TestMovie.sampleRate / 20
        let length = Int((duration * Double(TestMovie.sampleRate)).rounded(.down))
        guard length > 2 * edge else { return .infinity }
        let inside = sound.prefix(length).dropFirst(edge).dropLast(edge)
        return zip(inside, inside.dropFirst()).map { abs($1 - $0) }.max() ?? .infinity
    }
}
