import Foundation
import Media
import TestSupport
import Testing

@testable import Reading

/// Every kind of file that is read, cut off at each of its bytes, by what all of vcap reads files with.
@Suite(
    "Files cut off at every byte",
    .enabled(
        if: SmallFiles.isPossible,
        "needs ffmpeg, ImageMagick and the tools of WebP, AVIF, HEIC and animated PNG"))
struct LongCutOffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Decodes the first and the last frame and the beginning of each audio.
    private func read(_ path: String) throws(MediaError) -> (asset: Asset, pictures: Int) {
        let asset = try Asset.load(path)
        var pictures = 0
        for track in asset.tracks where track.format != nil {
            if track.mediaType == .video {
                let cursor = try FrameCursor(asset: asset, track: track)
                defer { cursor.close() }
                for time in [.zero, track.duration] {
                    if try cursor.picture(at: time).pixelBuffer != nil { pictures += 1 }
                }
            } else if track.mediaType == .audio {
                let format = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 1)
                let cursor = try AudioCursor(asset: asset, track: track, format: format)
                defer { cursor.close() }
                _ = try cursor.read(at: 0, count: 2000)
            }
        }
        return (asset, pictures)
    }

    @Test(
        "it is refused in one sentence that names the file, or what is there of it is shown",
        arguments: SmallFiles.Kind.allCases)
    func everyByte(_ kind: SmallFiles.Kind) throws {
        let bytes = try SmallFiles().bytes(of: kind)
        let path = folder.file(kind.name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try read(path).pictures == 2)
        var taken: [Int] = []
        let counts = Sweep.part(bytes.count / 4, of: Array(0..<bytes.count))
        for count in counts {
            try Data(bytes[..<count]).write(to: URL(fileURLWithPath: path))
            do throws(MediaError) {
                _ = try read(path)
                taken.append(count)
            } catch {
                let isExpected = error.code == .damagedFile || error.code == .unsupported
                let isOne = error.message.hasSuffix(".") && !error.message.contains(". ")
                #expect(
                    isExpected && isOne && error.message.contains(path),
                    "\(count): \(error.code) \(error.message)")
            }
        }
        switch kind {
        // what follows its frame says nothing of it
        case .tiff: #expect((taken.first ?? .max) > bytes.count - 80, "\(taken)")
        case .mp4, .fragmentedMP4, .matroska:
            #expect(taken.count > counts.count / 4, "\(taken.count) of \(counts.count)")
        // browsers show a GIF that ends behind a whole picture, or behind the block that announces the next
        case .gif:
            #expect(Sweep.isWhole ? taken.count == 5 : taken.count <= 5, "\(taken)")
            #expect((taken.first ?? .max) > bytes.count / 4, "\(taken)")
        default: #expect(taken.isEmpty, "\(taken)")
        }
    }
}
