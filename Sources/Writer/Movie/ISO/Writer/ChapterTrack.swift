internal import Media

/// The markers as a disabled text track that the first track refers to: how QuickTime, Apple's and
/// many other players find chapters (QuickTime File Format, "Chapter Lists"). `chpl` says the same
/// to the others.
struct ChapterTrack: Sendable {
    /// Ticks per second: fine enough for an instant, and 32 bits of them last five days.
    static let timescale: Int32 = 10_000

    /// An `mdat` box with the texts, for the file.
    let data: [UInt8]
    private let samples: [SampleIndex.Sample]
    /// When the first chapter begins (ticks).
    private let firstTime: Int64

    /// - Parameters:
    ///   - annotations: markers among them; nil when there are none.
    ///   - end: of the movie.
    init?(_ annotations: [MovieAnnotation], end: MediaTime) {
        let chapters = MovieAnnotation.chapters(of: annotations, until: end)
        guard !chapters.isEmpty else { return nil }
        var builder = BoxBuilder()
        var samples: [SampleIndex.Sample] = []
        builder.box("mdat") { builder in
            for chapter in chapters {
                let text = ChapterTrack.sample(chapter.title)
                builder.raw(text)
                let start = chapter.range.start
                    .ticks(per: ChapterTrack.timescale, rounding: .nearest)
                // two markers of one instant are two chapters all the same
                let time = max(start, samples.last.map { $0.decodeTime + 1 } ?? 0)
                samples.append(
                    SampleIndex.Sample(
                        decodeTime: time, compositionOffset: 0, duration: 1,
                        size: UInt32(text.count), isSync: true))
            }
        }
        // the last one lasts in the track to the movie's end, counted from zero: libavformat 59 takes
        // the track's length for its end. What is too much of it the edit list cuts.
        firstTime = samples.first?.decodeTime ?? 0
        if let last = samples.indices.last {
            let stop = end.ticks(per: ChapterTrack.timescale, rounding: .nearest)
            let before = samples[last].decodeTime - firstTime
            samples[last].duration = UInt32(clamping: max(1 + firstTime, stop - before))
        }
        data = builder.bytes
        self.samples = samples
    }

    /// Length, UTF-8, and the word that it is UTF-8: QuickTime takes it for Mac Roman otherwise.
    private static func sample(_ title: String) -> [UInt8] {
        var text = title
        while text.utf8.count > 0xFFFF { text.removeLast() }
        var builder = BoxBuilder()
        builder.u16(UInt16(text.utf8.count))
        builder.raw(Array(text.utf8))
        builder.box("encd") { $0.u32(0x100) }
        return builder.bytes
    }

    /// Bytes the track will take at most in the file, its texts and its part of the index.
    static func room(for annotations: [MovieAnnotation]) -> Int {
        annotations.reduce(1024) { total, annotation in
            guard case .marker(let text, _) = annotation else { return total }
            return total + text.utf8.count + 64
        }
    }

    // MARK: index

    /// - Parameter offset: where `data` is in the file.
    func index(at offset: Int64) -> SampleIndex {
        var index = SampleIndex()
        index.appendChunk(samples, at: offset + 8)
        return index
    }

    /// The whole `trak`.
    func write(
        id: UInt32, container: MovieContainer, movieTimescale: Int32, index: SampleIndex,
        to builder: inout BoxBuilder, place: (Int64) -> Int64
    ) {
        let edits = TrackEdits(
            index, timescale: ChapterTrack.timescale, trailingTrim: firstTime)
        builder.box("trak") { builder in
            builder.append(
                TrackHeaderBox(
                    trackID: id, duration: edits.duration(in: movieTimescale), isEnabled: false))
            let entries = edits.entries(in: movieTimescale)
            if !entries.isEmpty {
                builder.box("edts") { $0.append(EditListBox(entries: entries)) }
            }
            builder.box("mdia") { builder in
                builder.append(
                    MediaHeaderBox(
                        creationTime: 0, timescale: UInt32(ChapterTrack.timescale),
                        duration: UInt64(index.mediaDuration),
                        language: MediaHeaderBox.packed(language: "und")))
                builder.append(
                    HandlerBox(
                        componentType: container == .mov ? "mhlr" : .none, handler: "text",
                        name: "Chapters"))
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
        builder.box("gmhd") { builder in
            builder.append(MediaInformationBox())
            builder.box("text") { TransformMatrix.identity.write(to: &$0) }
        }
        MovieHeader.writeDataInformation(container, to: &builder)
    }

    private func writeDescription(to builder: inout BoxBuilder) {
        builder.box("stsd") { builder in
            builder.full(0, 0)
            builder.u32(1)
            builder.box("text") { builder in
                builder.zeros(6)
                builder.u16(1)  // data reference
                builder.u32(1)  // display flags: none that matter, it is not shown
                builder.u32(0)
                builder.zeros(6 + 8 + 8)  // background, box, reserved
                builder.zeros(2 + 2 + 1 + 2)  // font
                builder.zeros(6 + 1)  // colour, font name
            }
        }
    }
}
