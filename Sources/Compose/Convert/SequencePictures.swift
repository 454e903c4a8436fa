internal import Media

/// Pictures of files one after the other. The files are decoded by several threads, in order, each a few ahead.
/// Thread-bound.
final class SequencePictures: FrameSupply {
    // immutable
    let format: VideoFormat
    private let pictures: [SequencePicture]
    private let range: MediaTimeRange
    private let decoding: OrderedDecoding
    /// A picture of nothing, for those without a file.
    private let empty: SampleBuffer

    // owned by the calling thread
    private var position = 0
    private var start = MediaTime.zero
    /// The files of which not all could be decoded.
    private var damaged: [String] = []
    /// The first file's, decoded before the rest to see what it is.
    private var held: (index: Int, sample: SampleBuffer)?

    /// - Parameters:
    ///   - range: of the sequence's own time.
    ///   - frame: what upright pictures will be made smaller to, and need not be larger than (nil: as they
    ///     are).
    init(
        _ pictures: [SequencePicture], range: MediaTimeRange, fitting frame: PixelSize?
    ) throws(MediaError) {
        self.pictures = pictures
        self.range = range
        decoding = OrderedDecoding(pictures.map(\.path), fitting: frame)
        guard let first = pictures.firstIndex(where: { $0.path != nil }) else {
            throw .setting("sequence", "There is no picture in the sequence.")
        }
        do throws(MediaError) {
            let sample = try decoding.picture(first)
            guard let format = sample.format.video else { throw MediaError.noFrame(first) }
            held = (first, sample)
            self.format = format
            empty = .transparent(like: sample)
        } catch {
            decoding.stop()
            throw error
        }
    }

    /// A file of which nothing can be decoded ends the conversion.
    var damage: SourceDamage { SourceDamage(pictures: damaged.count, files: damaged) }

    func close() { decoding.stop() }

    func next() throws(MediaError) -> SampleBuffer? {
        while position < pictures.count {
            let index = position
            let picture = pictures[index]
            let begin = start
            let end = begin.followed(by: picture.duration)
            position += 1
            start = end
            guard begin < range.end else { return nil }
            guard end > range.start else { continue }
            var sample = empty
            if let path = picture.path {
                if let held, held.index == index {
                    sample = held.sample
                } else {
                    sample = try decoding.picture(index)
                }
                held = nil
                if sample.attachments.isDamaged { damaged.append(path) }
            }
            let (from, to) = (max(begin, range.start), min(end, range.end))
            sample.presentationTime = from.since(range.start)
            sample.duration = to.since(from)
            return sample
        }
        return nil
    }
}

extension MediaError {
    fileprivate static func noFrame(_ index: Int) -> MediaError {
        MediaError(
            code: .unsupported, subject: "picture \(index + 1)",
            message: "Cannot show picture \(index + 1) of the sequence: it holds no picture.")
    }
}

extension MediaTime {
    /// The sum, exact where 31 bits of timescale hold it, else on the timeline's grid.
    func followed(by length: MediaTime) -> MediaTime {
        (try? adding(length)) ?? .timeline(timelineTicks + length.timelineTicks)
    }
}

extension SampleBuffer {
    /// A picture in which nothing is seen, of another's size.
    fileprivate static func transparent(like sample: SampleBuffer) -> SampleBuffer {
        let width = sample.pixelBuffer?.width ?? 2
        let height = sample.pixelBuffer?.height ?? 2
        var picture = PixelBuffer(width: width, height: height, format: .rgba)
        picture.withMutablePlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: 0, count: plane.bytesPerRow * height)
            }
        }
        var empty = sample
        empty.payload = .pixels(picture)
        empty.format = .video(VideoFormat(coding: .raw(.rgba), width: width, height: height))
        return empty
    }
}
