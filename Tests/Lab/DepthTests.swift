import Foundation
import TestSupport
import Testing

extension Lab {
    /// Depth through v4l2loopback, as a camera that gives Y16.
    @Suite struct DepthTests {
        @Test("depth is recorded as the driver delivers it, every value to the unit")
        func exact() async throws {
            let take = try await Scenario.depth.take("depth", ending: "mkv")
            #expect(take.status == 0, "\(take.said)")
            let formats = try await Scenario.depth.guest().text("formats")
            #expect(formats.contains("gray16le"), "\(formats)")
            let probe = try Program.vcap.run(["probe", take.movie.url.path])
            #expect(
                probe.outputText.contains("depth, steps of 0.25 mm, absolute, raw"), "\(probe)")

            let footage = DepthFootage()
            let frames = try footage.frames(of: take.movie.url.path)
            #expect(frames.count >= 20)
            let truth = (0..<DepthFootage.count).map(footage.values)
            var positions = frames.map { truth.firstIndex(of: $0) }
            // before any other, v4l2loopback may hand out a buffer that its writer has not filled yet
            let isUnfilled = positions.first == .some(nil)
            if isUnfilled { positions.removeFirst() }
            #expect(!positions.contains(nil), "every frame is one of those that were fed")
            let known = positions.compactMap { $0 }
            let passed = zip(known, known.dropFirst())
                .map { ($1 - $0 - 1 + DepthFootage.count) % DepthFootage.count }.reduce(0, +)
            let drops = take.video?.drops.values.reduce(0, +) ?? 0
            #expect(isUnfilled ? passed <= drops : passed == drops, "\(known)")
        }
    }
}

/// Depth whose every value is known: all 65,536 there are, other ones in each frame.
struct DepthFootage {
    static let count = 40
    private let width = 160
    private let height = 90

    func values(_ number: Int) -> [UInt16] {
        (0..<width * height).map { UInt16(truncatingIfNeeded: ($0 + 1) * 9973 + number * 1777) }
    }

    func make(_ url: URL) throws {
        let raw = url.appendingPathExtension("raw")
        let all = (0..<Self.count).flatMap { values($0) }
        try all.withUnsafeBytes { Data($0) }.write(to: raw)
        try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray16le", "-s",
                "\(width)x\(height)", "-r", "15", "-i", raw.path, "-c:v", "ffv1", url.path,
            ])
        try FileManager.default.removeItem(at: raw)
    }

    func frames(of path: String) throws -> [[UInt16]] {
        let decoded = try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo",
                "-pix_fmt", "gray16le", "-",
            ])
        let size = width * height
        return stride(from: 0, to: decoded.output.count, by: 2 * size).map { start in
            (0..<size).map {
                UInt16(decoded.output[start + 2 * $0])
                    | UInt16(decoded.output[start + 2 * $0 + 1]) << 8
            }
        }
    }
}
