import Media
import Reading
import TestSupport
import Testing

@testable import Compose

/// Bars of colour through the whole chain: a coded clip as cameras make them, composed and encoded, comes
/// out within one code value.
@Suite("Colour bars through an export", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct LongColorBarTests {
    /// 75 % bars in limited range: luma, blue, red difference.
    private static let bars = [
        (180, 128, 128), (162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198),
        (65, 100, 212), (35, 212, 114), (16, 128, 128),
    ]
    private static let (width, height) = (512, 96)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip of still bars.
    /// - Parameter coding: what ffmpeg is given for the output, its pixel format with it.
    private func clip(_ name: String, _ pixels: String, _ coding: [String]) throws {
        func table(_ value: ((Int, Int, Int)) -> Int) -> String {
            Self.bars.enumerated().map { "\(value($1))*eq(floor(X*8/W),\($0))" }
                .joined(separator: "+")
        }
        let source =
            "color=c=gray:s=\(Self.width)x\(Self.height):r=30,trim=end_frame=8,format=yuv444p,"
            + "geq=lum='\(table { $0.0 })':cb='\(table { $0.1 })':cr='\(table { $0.2 })'"
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", source, "-pix_fmt", pixels] + coding
                + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// Mean of each bar's middle in each plane of the last frame, and the largest distance of a sample
    /// from it, in codes of 8 bits.
    private func measure(
        _ name: String, deep: Bool
    ) throws -> (means: [[Double]], spread: Double) {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-map", "0:v", "-f", "rawvideo", "-pix_fmt",
            deep ? "yuv420p10le" : "yuv420p", "-",
        ])
        let bytes = deep ? 2 : 1
        let samples = Self.width * Self.height * 3 / 2
        try #require(result.output.count == 8 * samples * bytes, "\(result.errorText)")
        let frame = Array(result.output.suffix(samples * bytes))
        func value(_ index: Int) -> Double {
            deep
                ? Double(Int(frame[2 * index]) | Int(frame[2 * index + 1]) << 8) / 4
                : Double(frame[index])
        }
        var spread = 0.0
        let means = (0..<3).map { plane -> [Double] in
            let shift = plane == 0 ? 0 : 1
            let (width, height) = (Self.width >> shift, Self.height >> shift)
            let start = plane == 0 ? 0 : Self.width * Self.height * (3 + plane) / 4
            return (0..<8).map { bar -> Double in
                // away from the edges, where filters and coding mix the bars
                let columns = bar * width / 8 + width / 32..<(bar + 1) * width / 8 - width / 32
                let values = (height / 4..<height * 3 / 4).flatMap { row in
                    columns.map { value(start + row * width + $0) }
                }
                let mean = values.reduce(0, +) / Double(values.count)
                spread = max(spread, values.map { abs($0 - mean) }.max() ?? 0)
                return mean
            }
        }
        return (means, spread)
    }

    /// - Returns: what the report says about the film's depth.
    private func export(_ name: String, _ preset: ExportPreset) async throws -> [String] {
        let film = try TimelineBuilder.film(
            loading: Timeline(videos: [VideoItem(folder.file(name))]))
        var settings = ExportSettings(preset: preset)
        settings.overwrites = true
        let report = try await ExportSession(film, settings: settings)
            .export(to: folder.file("film.mp4"))
        return report.notes.filter { $0.hasPrefix("film: ") }
    }

    private static let codings: [(name: String, pixels: String, coding: [String], isDeep: Bool)] = [
        ("camera.mp4", "yuv420p", ["-c:v", "libx264", "-crf", "4"], false),
        ("camera.mov", "yuvj422p", ["-c:v", "mjpeg", "-q:v", "1"], false),
        ("camera.mkv", "yuv422p", ["-c:v", "ffv1"], false),
        ("camera-10.mp4", "yuv420p10le", ["-c:v", "libx264", "-crf", "4"], true),
        ("camera-10.mkv", "yuv422p10le", ["-c:v", "ffv1"], true),
    ]

    @Test(
        "every bar is within a code value of what the camera's frame is",
        arguments: codings.indices, [ExportPreset.highest, .hevc1080])
    func bars(source: Int, preset: ExportPreset) async throws {
        let (name, pixels, coding, isDeep) = Self.codings[source]
        try clip(name, pixels, coding)
        // that the bars stay small is required of the preset too
        let notes = try await export(name, preset).filter { !$0.contains("film: it stays") }
        let isLost = name == "camera-10.mp4" && preset == .highest
        #expect(
            notes
                == (isLost
                    ? [
                        "film: its 10 bits are brought to 8, because the preset highest codes H.264; "
                            + "hevc-1080p keeps them"
                    ] : []))
        // H.264 is made in 8 bits, which every player decodes
        let keepsDepth = isDeep && preset == .hevc1080
        let (found, spread) = try measure("film.mp4", deep: keepsDepth)
        for plane in 0..<3 {
            for (bar, code) in Self.bars.enumerated() {
                let wanted = Double(plane == 0 ? code.0 : plane == 1 ? code.1 : code.2)
                // a code value of the film: a quarter of one of 8 bits where it has 10
                let off = abs(found[plane][bar] - wanted)
                #expect(
                    off <= (keepsDepth ? 0.5 : 1),
                    "\(name), \(preset.name): plane \(plane), bar \(bar) is off by \(off)")
            }
        }
        #expect(spread <= 2, "\(name), \(preset.name): samples of a bar are \(spread) apart")
        let format = try #require(
            try Asset.load(folder.file("film.mp4")).tracks.first?.format?.video)
        #expect(format.color.range == .limited)
    }
}
