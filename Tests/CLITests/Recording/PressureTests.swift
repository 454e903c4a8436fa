import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Takes whose encoder cannot keep up", .serialized, .tags(.realTime))
struct PressureTests {
    private struct Report: Decodable {
        struct Entry: Decodable {
            var measure: String
            var isTaken: Bool
            var causes: [String]
            var movieTime: Double
        }
        struct Track: Decodable {
            struct Preset: Decodable {
                var movieTime: Double
                var preset: String
            }
            var drops: [String: Int]
            var presets: [Preset]?
        }
        var pressure: [Entry]?
        var tracks: [Track]
    }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// Frames and a preset that four times as many processors as a small machine has do not encode in real time.
    private func record(_ more: String...) throws -> (Program.Result, Report) {
        let result = try Program.vcap.start(
            [
                "record", "-c", "test:size=2560x1440,fps=60", "-a", "test:", "-t", "12", "-o",
                folder.file("take.mp4"), "--encoder-preset", "veryslow", "--watch", "none",
            ] + more, environment: ["XDG_RUNTIME_DIR": folder.path]
        ).wait()
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        return (result, try JSONDecoder().decode(Report.self, from: data))
    }

    @Test(
        "an encoder that is behind is hurried within the movie, and every frame that is in it is decoded",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func hurried() throws {
        let (result, report) = try record()
        #expect(result.status == 0)
        let entries = try #require(report.pressure)
        #expect(entries.first?.measure == "encoding-faster" && entries.first?.isTaken == true)
        #expect(entries.first?.causes.contains("encoder") == true)
        let changes = try #require(report.tracks[0].presets)
        #expect(changes.first?.preset == "superfast")
        // on a busy machine programs wait for the processor, too
        #expect(result.errorText.contains("the encoder is behind"))
        #expect(result.errorText.contains(": frames are encoded faster, which makes"))
        #expect(report.tracks[1].drops.isEmpty, "audio is never given up")
        let oracle = MovieOracle(folder.file("take.mp4"))
        let numbers = try oracle.frameNumbers()
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(try oracle.presentationTimes().count == numbers.count)
        let complaints = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-xerror", "-i", folder.file("take.mp4"), "-f", "null", "-",
        ]).errorText
        #expect(complaints == "")
    }

    @Test("switched off the preset stays, frames are dropped, and nothing is said of pressure")
    func off() throws {
        let (result, report) = try record("--pressure", "off")
        #expect(result.status == 0)
        #expect(report.pressure == nil && report.tracks[0].presets == nil)
        #expect(report.tracks[0].drops["encoder-behind"] ?? 0 > 0)
        #expect(!result.errorText.contains("pressed"))
        #expect(!result.errorText.contains("encoded faster"))
    }

    @Test("what is said of a step names its cause and what is given up")
    func words() {
        func step(_ relief: (inout PressureRelief) -> Void, taken: Bool = true) -> String {
            var all = PressureRelief()
            relief(&all)
            return PressureWords.step(
                PressureStep(
                    measure: all.speed == .asSet ? .spareFrames(2) : .encodingSpeed(.faster),
                    isTaken: taken, time: .zero,
                    state: PressureState(taken ? [.heat: .critical, .encoder: .fair] : [:]),
                    relief: all))
        }
        #expect(
            step { $0.speed = .fastest }
                == "the machine is hot, the encoder is behind: frames are encoded as fast as can be, "
                + "which makes the movie larger")
        #expect(
            step { $0.frameDivisor = 4 }.hasSuffix(
                "previews and detectors get one of 4 frames"))
        #expect(
            step({ _ in }, taken: false)
                == "there is room again: previews and detectors get every frame")
        #expect(
            PressureWords.level(PressureState([.disk: .serious]))
                == "the machine is pressed (serious): the movie's disk is behind")
        #expect(PressureWords.level(PressureState()) == "the machine is no longer pressed")
    }
}
