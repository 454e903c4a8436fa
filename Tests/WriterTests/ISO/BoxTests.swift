import Media
import Testing

@testable import Movie

@Suite("Boxes")
struct BoxTests {
    /// Writes, reads back, compares; every byte must have been read.
    private func roundTrip<Kind: Box>(_ box: Kind) throws {
        var builder = BoxBuilder()
        builder.append(box)
        var root = BoxReader(type: "root", bytes: builder.bytes, at: 0, file: "x")
        var child = try #require(try root.child())
        #expect(child.type == Kind.type)
        let back = try Kind(from: &child)
        #expect(back == box)
        #expect(child.remaining <= 2)
        #expect(root.remaining == 0)
        // cut anywhere, it is refused or read from what is there, never out of bounds
        for length in 8..<max(builder.bytes.count, 9) - 1 {
            let body = Array(builder.bytes[8..<min(length, builder.bytes.count)])
            var cut = BoxReader(type: Kind.type, bytes: body, at: 8, file: "x")
            _ = try? Kind(from: &cut)
        }
    }

    @Test("headers come back as they were written, short and long")
    func headers() throws {
        try roundTrip(MovieContainer.mp4.fileType)
        for long: UInt64 in [0, 1 << 40] {
            try roundTrip(
                MovieHeaderBox(
                    creationTime: 3_800_000_000, timescale: 720_000, duration: long + 5,
                    nextTrackID: 3))
            try roundTrip(
                MediaHeaderBox(
                    creationTime: 3_800_000_000, timescale: 48_000, duration: long + 7,
                    language: MediaHeaderBox.packed(language: "deu")))
            let rotated = TransformMatrix(
                VideoOrientation(rotation: .clockwise270, isMirrored: true), width: 1280,
                height: 720)
            try roundTrip(
                TrackHeaderBox(
                    trackID: 2, duration: long + 9, alternateGroup: 1, isAudio: true,
                    matrix: rotated, width: 1280 << 16, height: 720 << 16,
                    creationTime: 3_800_000_000))
        }
        try roundTrip(HandlerBox(handler: "vide", name: "Kamera ✂"))
        try roundTrip(HandlerBox(componentType: "mhlr", handler: "soun", name: "Mikrofon"))
        try roundTrip(ExtendedLanguageBox(tag: "pt-BR"))
        try roundTrip(TrackKindBox.forcedSubtitle)
        #expect(MediaHeaderBox.packed(language: "x1") == MediaHeaderBox.packed(language: "und"))
    }

    @Test("sample tables come back as they were written")
    func tables() throws {
        var runs = PackedTable(columns: 2)
        for value: UInt32 in [3000, 3000, 3001, 3000] { runs.appendRun(of: value) }
        #expect(runs.rows == 3)
        #expect(runs[0, 0] == 2)
        try roundTrip(TimeToSampleBox(table: runs))
        try roundTrip(CompositionOffsetBox(table: runs))
        var numbers = PackedTable(columns: 1)
        numbers.append(1)
        numbers.append(31)
        try roundTrip(SyncSampleBox(table: numbers))
        try roundTrip(SampleSizeBox(constantSize: 0, count: 2, table: numbers))
        try roundTrip(
            SampleSizeBox(constantSize: 4, count: 9, table: PackedTable(columns: 1)))
        var chunks = PackedTable(columns: 3)
        chunks.append(1, 8, 1)
        try roundTrip(SampleToChunkBox(table: chunks))
        try roundTrip(ChunkOffsetBox(offsets: [1, 1 << 33]))
        try roundTrip(
            EditListBox(entries: [
                .init(duration: 5, mediaTime: nil), .init(duration: 6, mediaTime: 1024),
            ]))
        try roundTrip(EditListBox(entries: [.init(duration: 1 << 40, mediaTime: 1 << 33)]))
    }

    @Test("chunk offsets take 32 bits each until one needs more")
    func chunkOffsets() throws {
        for (offset, type): (UInt64, FourCC) in [(0xFFFF_FFFF, "stco"), (0x1_0000_0000, "co64")] {
            var builder = BoxBuilder()
            ChunkOffsetBox(offsets: [48, offset]).writeShortest(to: &builder)
            var root = BoxReader(type: "root", bytes: builder.bytes, at: 0, file: "x")
            var child = try #require(try root.child())
            #expect(child.type == type)
            #expect(try ChunkOffsetBox(from: &child).offsets == [48, offset])
        }
    }

    @Test("fragments' boxes come back as they were written")
    func fragments() throws {
        let defaults = SampleDefaults(duration: 1, size: 2, flags: 3)
        try roundTrip(TrackExtendsBox(trackID: 1, defaults: defaults))
        try roundTrip(FragmentHeaderBox(sequenceNumber: 7))
        try roundTrip(TrackFragmentHeaderBox(trackID: 1, flags: SampleDefaults.syncFlags))
        try roundTrip(
            TrackFragmentHeaderBox(
                trackID: 1, baseDataOffset: 1 << 33, baseIsFragment: false, descriptionIndex: 1,
                duration: 2, size: 3, flags: 4))
        try roundTrip(FragmentDecodeTimeBox(time: 1 << 40))
        try roundTrip(
            TrackRunBox(
                dataOffset: 99, firstSampleFlags: 1,
                samples: [
                    .init(duration: 1, size: 2, flags: 3, compositionOffset: -4),
                    .init(duration: 5, size: 6, flags: 7, compositionOffset: 8),
                ]))
        try roundTrip(TrackRunBox(dataOffset: nil, samples: [.init(size: 2)]))
        try roundTrip(FragmentChecksumBox(checksum: 0x1234_5678_9ABC_DEF0))
        let notes: [MovieAnnotation] = [
            .pause(at: MediaTime(value: 45_000, timescale: 90_000), duration: .nanoseconds(5)),
            .marker("ein Wort", at: .milliseconds(1)),
            .tags(["title": "Ü \"2\"", "org.vcap.take": "3"], at: .milliseconds(2)),
        ]
        for note in notes {
            let box = EventMessageBox(note, id: 3)
            try roundTrip(box)
            #expect(box.annotation == note)
        }
    }

    @Test("codec configuration comes back as it was written")
    func configurations() throws {
        try roundTrip(
            ElementaryStreamBox(objectType: 0x40, isAudio: true, configuration: [0x11, 0x90]))
        try roundTrip(
            ElementaryStreamBox(objectType: 0x6C, isAudio: false, configuration: []))
        try roundTrip(FLACSpecificBox(streamInfo: (0..<34).map { UInt8($0) }))
        try roundTrip(PCMConfigurationBox(isLittleEndian: true, bits: 24))
        try roundTrip(ColorBox(color: .bt709, isQuickTime: false))
        try roundTrip(ColorBox(color: .jpeg, isQuickTime: false))
        try roundTrip(PixelAspectBox(aspect: PixelAspect(4, 3)))
        try roundTrip(
            ChapterListBox(chapters: [.init(start: 0, title: "a"), .init(start: 5, title: "ü")]))
    }

    @Test("a chapter's title is cut between characters")
    func longTitle() throws {
        var builder = BoxBuilder()
        let title = String(repeating: "ü", count: 200)
        builder.append(ChapterListBox(chapters: [.init(start: 0, title: title)]))
        var root = BoxReader(type: "root", bytes: builder.bytes, at: 0, file: "x")
        var child = try #require(try root.child())
        let back = try ChapterListBox(from: &child).chapters[0].title
        #expect(back == String(repeating: "ü", count: 127))
    }

    @Test("every byte of a fragment counts for its checksum")
    func checksum() {
        let bytes = (0..<41).map { UInt8($0) }
        let whole = bytes.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << bit
                #expect(
                    other.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) } != whole)
            }
        }
        // however it comes in pieces
        for size in 1...42 {
            var sum = FragmentChecksum()
            for start in stride(from: 0, to: bytes.count, by: size) {
                Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { sum.add($0) }
            }
            #expect(sum.value == whole)
        }
        // takes that are on disks already hold it
        #expect(whole == 0x6695_E650_FD80_6D8B)
        let longer = bytes + [0]
        #expect(longer.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) } != whole)
    }
}
