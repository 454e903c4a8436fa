import Foundation
import Media
import TestSupport
import Testing
import Writer

@testable import Compose

/// What a conversion tells before it is done, because it cannot be seen of the result.
@Suite("Cautions of conversions", .enabled(if: MovieOracle.isAvailable))
struct ConversionCautionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: [String]) throws -> Asset {
        let path = folder.file(name)
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4"]
        let result = try ffmpeg.run(["-v", "error", "-y"] + picture + arguments + [path])
        try #require(result.status == 0, "\(result.errorText)")
        return try Asset.load(path)
    }

    private func plan(
        _ asset: Asset, _ codec: VideoCodec?, _ container: OutputContainer = .mp4
    ) throws -> ConversionPlan {
        var settings = ConversionSettings()
        if let codec { settings.video = .codec(codec) }
        return try ConversionSession(Conversion(asset, settings: settings)).plan(for: container)
    }

    @Test(
        "pictures of a high dynamic range are not coded with 8 bits without a word",
        arguments: [("smpte2084", "PQ"), ("arib-std-b67", "HLG")])
    func light(_ transfer: String, _ name: String) async throws {
        let colors = "colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:log-level=none"
        let asset = try make(
            "a.mp4", ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", colors])
        let cautions = try plan(asset, .h264).cautions
        #expect(cautions.count == 1)
        #expect(cautions.first?.contains("\(name) (HDR) and are written with 8 bits") == true)
        #expect(try plan(asset, nil).cautions.isEmpty)
        #expect(try plan(asset, .ffv1, .matroska).cautions.isEmpty)
        var settings = ConversionSettings()
        settings.video = .codec(.h264)
        let report = try await ConversionSession(Conversion(asset, settings: settings))
            .convert(to: folder.file("b.mp4"))
        #expect(report.notes.contains(cautions[0]))
    }

    @Test("Dolby Vision's configuration is told where it is not carried over")
    func dolbyVision() throws {
        let path = try make("a.mp4", ["-c:v", "libx264"]).path
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let box = Array("btrt".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].prefix(4).elementsEqual(box) })
        bytes.replaceSubrange(at..<(at + 4), with: Array("dvvC".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let asset = try Asset.load(path)
        #expect(try plan(asset, nil, .mov).cautions.isEmpty)
        for (codec, container) in [(nil, OutputContainer.matroska), (VideoCodec.h264, .mp4)] {
            let plan = try plan(asset, codec, container)
            let isCopied = plan.tracks.allSatisfy { $0.treatment == .copy }
            // the same codec is copied
            guard !isCopied || container == .matroska else { continue }
            #expect(plan.cautions.first?.contains("Dolby Vision") == true)
        }
    }

    @Test("encrypted sound is left out with its reason, and the pictures are converted")
    func encrypted() async throws {
        let path = try make(
            "a.mp4", ["-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264", "-c:a", "aac"]
        ).path
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let box = Array("mp4a".utf8)
        let at = try #require(bytes.indices.last { bytes[$0...].prefix(4).elementsEqual(box) })
        bytes.replaceSubrange(at..<(at + 4), with: Array("enca".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let report = try await ConversionSession(Conversion(Asset.load(path)))
            .convert(to: folder.file("b.mp4"))
        #expect(report.tracks.map(\.mediaType) == [.video])
        #expect(
            report.notes == [
                "The sound of track 2 is left out, because it is encrypted (\"enca\")."
            ])
    }
}
