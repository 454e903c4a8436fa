import Foundation
import TestSupport
import Testing

/// A thousand pictures of all kinds that become one movie, with holes in their numbers.
@Suite(
    "A thousand pictures", .serialized,
    .enabled(
        if: MovieOracle.isAvailable && Program.tool(MixedAlbum.magick) != nil
            && Program.tool("time") != nil, "needs ffmpeg, ImageMagick and time"))
struct LargeSequenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// 1,000 numbers: every 40th is missing, and three in a row.
    private static let numbers: [Int] = Array(
        (1...).lazy.filter { $0 % 40 != 0 && !(501...503).contains($0) }.prefix(1000))

    /// Colours in the middle of all pictures.
    private func colors(_ name: String) throws -> [MixedAlbum.Color] {
        let filter = "crop=16:16:56:28,scale=1:1:flags=area,format=rgb24"
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let result = try ffmpeg.run([
            "-v", "error", "-i", folder.file(name), "-vf", filter, "-fps_mode", "passthrough",
            "-f", "rawvideo", "-",
        ])
        return stride(from: 0, to: result.output.count - 2, by: 3).map {
            MixedAlbum.Color(
                Int(result.output[$0]), Int(result.output[$0 + 1]), Int(result.output[$0 + 2]))
        }
    }

    @Test(
        "of every kind and size, holes held or black, each picture shows its colour at its time, in little memory"
    )
    func thousand() throws {
        let album = try MixedAlbum(Self.numbers, in: folder)
        let words = ["convert", "shots", "-o", "clip.mp4", "--fps", "25", "-s", "128x72"]
        let options = ["--crf", "10", "--encoder-preset", "ultrafast", "-y"]

        let refused = try MeasuredRun.vcap(words + options, in: folder)
        #expect(refused.result.status == 66 && refused.lines.count == 1)
        #expect(refused.result.errorText.contains("shot40."), "\(refused.description)")

        for gaps in ["hold", "black"] {
            let run = try MeasuredRun.vcap(words + options + ["--gaps", gaps], in: folder)
            try #require(run.result.status == 0, "\(run.description)")
            #expect(run.peakMemory < 250_000_000, "\(run.description)")
            var wanted: [(color: MixedAlbum.Color, time: Double)] = []
            var before = 0
            for number in Self.numbers {
                if number > before + 1, gaps == "black" {
                    wanted.append((MixedAlbum.Color(0, 0, 0), Double(before) / 25))
                }
                let color = try #require(album.shown[number])
                wanted.append((color, Double(number - 1) / 25))
                before = number
            }
            let clip = MovieOracle(folder.file("clip.mp4"))
            let (times, found) = (try clip.presentationTimes(), try colors("clip.mp4"))
            #expect(times.count == wanted.count && found.count == wanted.count, "\(times.count)")
            let late = zip(times, wanted).filter { abs($0 - $1.time) > 2e-5 }
            #expect(late.isEmpty, "\(gaps): \(late.prefix(3))")
            let wrong = zip(found, wanted).enumerated().filter { $1.0.distance(to: $1.1.color) > 8 }
            #expect(
                wrong.isEmpty,
                "\(gaps): \(wrong.count), such as \(wrong.prefix(12).map { ($0.offset, $0.element.0, $0.element.1.color) })"
            )
            #expect(try clip.frameLength().approximateSeconds == Double(before) / 25)
        }
    }
}
