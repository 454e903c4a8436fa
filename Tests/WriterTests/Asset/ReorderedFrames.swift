import Media
import TestSupport

@testable import Movie

/// Frames decoded in another order than shown, with the decode times that some program would give them.
struct ReorderedFrames {
    let timescale: Int32
    /// When each is shown, in order of decoding (ticks).
    let shown: [Int64]
    /// Decode times (ticks); they may be after the presentation.
    let decoded: [Int64]
    let lastLength: Int64

    static let format = VideoFormat(
        coding: .coded(.h264), width: 192, height: 96, color: .bt709,
        codecConfiguration: CodedTake.avcConfiguration)

    init(timescale: Int32, shown: [Int64], lastLength: Int64) {
        self.timescale = timescale
        self.shown = shown
        self.lastLength = lastLength
        decoded = shown.sorted()
    }

    /// Up to 16 frames are decoded before one that is shown earlier, as H.264 and H.265 allow.
    init(_ random: inout SplitMix) {
        timescale =
            [600, 12_800, 24_000, 30_000, 90_000, 1_000_000, 705_600_000]
            .randomElement(using: &random) ?? 600
        let scale = Int64(timescale)
        // of the finest ticks an offset of 31 bits holds three seconds
        let longest: Int64 = scale > 1_000_000 ? 60 : 400
        var time = Bool.random(using: &random) ? 0 : 3600 * scale
        var instants: [Int64] = []
        for _ in 0..<Int.random(in: 2...60, using: &random) {
            instants.append(time)
            time += max(scale / 200, scale * .random(in: 5...longest, using: &random) / 1000)
        }
        lastLength = time - (instants.last ?? 0)
        var order = Array(instants.prefix(1))
        var rest = instants.dropFirst()
        while !rest.isEmpty {
            let count = Int.random(in: 1...17, using: &random)
            order += rest.prefix(count).shuffled(using: &random)
            rest = rest.dropFirst(count)
        }
        shown = order
        switch Int.random(in: 0..<3, using: &random) {
        case 0: decoded = instants
        case 1:
            let late = zip(instants, order).map { $0 - $1 }.max() ?? 0
            decoded = instants.map { $0 - late }
        default:
            let first = instants.first ?? 0
            decoded = instants.indices.map { first + Int64($0) * max(1, scale / 1000) }
        }
    }

    var first: Int64 { shown.min().map(time) ?? 0 }

    /// Ticks as nanoseconds.
    func time(_ ticks: Int64) -> Int64 {
        MediaTime(value: ticks, timescale: timescale).nanoseconds()
    }

    func samples(_ block: BlockBuffer, _ format: FormatDescription) -> [SampleBuffer] {
        let latest = shown.max()
        return shown.indices.map { place in
            let length = shown.filter { $0 > shown[place] }.min().map { $0 - shown[place] }
            return SampleBuffer(
                payload: .coded(block), format: format,
                presentationTime: MediaTime(value: shown[place], timescale: timescale),
                decodeTime: MediaTime(value: decoded[place], timescale: timescale),
                duration: MediaTime(
                    value: shown[place] == latest ? lastLength : length ?? 1, timescale: timescale),
                isSync: place == 0)
        }
    }

    /// Each with the bytes of one and the same frame.
    func write(to path: String, container: MovieContainer) throws {
        let real = try CodedTake.real.get()
        guard
            let frame = real.samples.first(where: { $0.sample.format.mediaType == .video })?
                .sample, let block = frame.block
        else { return }
        let file = try DurableFile(
            creating: path, existing: .replace, policy: .never,
            gapHeader: MovieFileWriter.gapHeader)
        let writer = MovieFileWriter(file: file, container: container)
        _ = try writer.addTrack(ContainerTrack(format: frame.format, timescale: timescale))
        try writer.begin(MovieMetadata())
        for sample in samples(block, frame.format) { try writer.append(sample, track: 0) }
        _ = try writer.finish()
    }
}
