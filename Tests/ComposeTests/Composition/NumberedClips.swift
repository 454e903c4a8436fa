import Media
import Movie
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

/// Small clips of numbered pictures, and the frames of what is composed of them.
struct NumberedClips {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func clip(
        _ name: String, rate: String = "30", frames: Int = 30, from number: Int = 0,
        luma: Int = 120, tone: GeneratedClip.Tone? = nil
    ) throws -> Asset {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.rate, clip.frames) = (96, 54, rate, frames)
        (clip.firstNumber, clip.color, clip.tone) = (number, .init(luma, 128, 128), tone)
        try clip.write(to: folder.file(name))
        return try Asset.load(folder.file(name))
    }

    /// Every frame that a reader gives.
    func pictures(_ output: VideoCompositionOutput) throws -> [PixelBuffer] {
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var pictures: [PixelBuffer] = []
        while let sample = try output.next() {
            if let frame = sample.pixelBuffer { pictures.append(frame) }
        }
        return pictures
    }

    func numbers(_ output: VideoCompositionOutput) throws -> [Int] {
        try pictures(output).map { FrameStrip.number(in: $0) }
    }

    /// Luma below the strip.
    func luma(_ frame: PixelBuffer) -> Int {
        frame.withPlane(0) { Int($0.row(40)[48]) }
    }
}
