internal import Media

/// A movie's time code as a track of its own, which the video tracks refer to: a sample for each stretch without a
/// jump, with the number of its first frame (QuickTime File Format, "Timecode Media").
struct TimeCodeTrack: Sendable {
    /// Most samples (count): what jumps more often keeps the first ones.
    static let mostSamples = 4096
    static let handler: FourCC = "tmcd"

    let code: MovieTimeCode
    /// Ticks per second of the track: its code's own, fine enough for an instant.
    let timescale: Int32
    private let frameDuration: Int32

    init(_ code: MovieTimeCode) {
        self.code = code
        let rate = code.start.rate.frameRate
        let factor = Int32(rate.numerator < 1000 ? 1000 : 1)
        let (scale, isOver) = rate.numerator.multipliedReportingOverflow(by: factor)
        let (length, isLong) = rate.denominator.multipliedReportingOverflow(by: factor)
        (timescale, frameDuration) =
            isOver || isLong ? (rate.numerator, rate.denominator) : (scale, length)
    }

    // MARK: samples

    /// When a stretch begins (ticks): never behind its first frame.
    private func ticks(_ time: MediaTime) -> Int64 {
        max(0, time.ticks(per: timescale, rounding: .down))
    }

    /// Number of a stretch's first frame.
    private static func data(_ code: TimeCode) -> [UInt8] {
        var builder = BoxBuilder()
        builder.u32(UInt32(clamping: code.frame))
        return builder.bytes
    }

    private func sample(at time: Int64, lasting length: Int64) -> SampleIndex.Sample {
        SampleIndex.Sample(
            decodeTime: time, compositionOffset: 0, duration: UInt32(clamping: max(1, length)),
            size: 4, isSync: true)
    }

    /// The stretches, each with when it begins (ticks); of those that begin together the last.
    private var stretches: [(time: Int64, code: TimeCode)] {
        var found = [(time: Int64(0), code: code.start)]
        for jump in code.jumps.prefix(Self.mostSamples - 1) {
            let time = ticks(jump.time)
            if found.last.map({ $0.time >= time }) ?? false { found.removeLast() }
            found.append((time, jump.timeCode))
        }
        return found
    }

    /// What a growing file is given: how long they last is not known, so each states one frame.
    /// - Parameter given: how many it has.
    func waiting(from given: Int) -> (samples: [SampleIndex.Sample], data: [BlockBuffer]) {
        let found = stretches.dropFirst(given)
        return (
            found.map { sample(at: $0.time, lasting: Int64(frameDuration)) },
            found.map { BlockBuffer(Self.data($0.code)) }
        )
    }

    /// An `mdat` box with the samples of a finished movie.
    func data(until end: MediaTime) -> [UInt8] {
        var builder = BoxBuilder()
        builder.box("mdat") { builder in
            for stretch in shown(until: end) { builder.raw(Self.data(stretch.code)) }
        }
        return builder.bytes
    }

    private func shown(until end: MediaTime) -> [(time: Int64, code: TimeCode)] {
        let end = ticks(end)
        return stretches.filter { $0.time == 0 || $0.time < end }
    }

    /// - Parameter offset: where `data` is in the file.
    func index(at offset: Int64, until end: MediaTime) -> SampleIndex {
        let found = shown(until: end)
        let length = max(1, end.ticks(per: timescale, rounding: .nearest))
        var samples: [SampleIndex.Sample] = []
        for (place, stretch) in found.enumerated() {
            let next = place + 1 < found.count ? found[place + 1].time : length
            samples.append(sample(at: stretch.time, lasting: next - stretch.time))
        }
        var index = SampleIndex()
        index.appendChunk(samples, at: offset + 8)
        return index
    }

    // MARK: boxes

    /// The whole `trak`.
    /// - Parameter end: of the movie; nil while it grows.
    func write(
        id: UInt32, container: MovieContainer, movieTimescale: Int32, index: SampleIndex,
        end: MediaTime?, creationTime: UInt64, to builder: inout BoxBuilder,
        place: (Int64) -> Int64
    ) {
        let duration = end?.ticks(per: movieTimescale, rounding: .nearest) ?? 0
        builder.box("trak") { builder in
            builder.append(
                TrackHeaderBox(
                    trackID: id, duration: UInt64(max(0, duration)), creationTime: creationTime))
            if duration > 0 {
                let edit = EditListBox.Entry(duration: UInt64(duration), mediaTime: 0)
                builder.box("edts") { $0.append(EditListBox(entries: [edit])) }
            }
            builder.box("mdia") { builder in
                builder.append(
                    MediaHeaderBox(
                        creationTime: creationTime, timescale: UInt32(timescale),
                        duration: UInt64(index.mediaDuration),
                        language: MediaHeaderBox.packed(language: "und")))
                builder.append(
                    HandlerBox(
                        componentType: container == .mov ? "mhlr" : .none,
                        handler: Self.handler, name: "Time Code"))
                builder.box("minf") { builder in
                    writeMediaInformation(container, to: &builder)
                    builder.box("stbl") { builder in
                        writeDescription(to: &builder)
                        index.writeTables(to: &builder, place: place)
                    }
                }
            }
        }
    }

    private func writeMediaInformation(_ container: MovieContainer, to builder: inout BoxBuilder) {
        switch container {
        case .mp4: builder.box("nmhd") { $0.full(0, 0) }
        case .mov:
            builder.box("gmhd") { builder in
                builder.append(MediaInformationBox())
                builder.box("tmcd") { builder in
                    builder.box("tcmi") { builder in
                        builder.full(0, 0)
                        builder.zeros(4)  // the system's font, plain
                        builder.u16(12)
                        builder.zeros(2 + 6)  // black
                        for _ in 0..<3 { builder.u16(0xFFFF) }  // on white
                        builder.u8(0)
                    }
                }
            }
        }
        MovieHeader.writeDataInformation(container, to: &builder)
    }

    private func writeDescription(to builder: inout BoxBuilder) {
        builder.box("stsd") { builder in
            builder.full(0, 0)
            builder.u32(1)
            builder.append(
                TimeCodeEntry(
                    rate: code.start.rate, timescale: timescale, frameDuration: frameDuration))
        }
    }
}
