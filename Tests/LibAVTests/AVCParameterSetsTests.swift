import Media
import Testing

@testable import LibAV

/// Parameter sets of several encoders in one record.
@Suite("H.264 parameter sets")
struct AVCParameterSetsTests {
    /// An encoder's record and its first sample.
    private func coded(
        _ number: Int, profile: VideoProfile? = nil, pixels: PixelFormat = .yuv420p
    ) throws -> (sets: AVCParameterSets, first: BlockBuffer) {
        var settings = VideoEncoderSettings(codec: .h264)
        (settings.parameterSetID, settings.profile) = (number, profile)
        let input = VideoFormat(
            coding: .raw(pixels), width: 64, height: 48, nominalRate: FrameRate(30))
        let encoder = try VideoEncoder(settings: settings, input: input)
        let frame = SampleBuffer(
            payload: .pixels(PixelBuffer(width: 64, height: 48, format: pixels)),
            format: .video(input), presentationTime: .zero)
        let samples = try encoder.encode(frame) + encoder.finish()
        return (
            try #require(AVCParameterSets(record: encoder.format.codecConfiguration)),
            try #require(samples.first?.block)
        )
    }

    @Test("an encoder's sets carry the number asked for", arguments: [0, 1, 31])
    func numbers(number: Int) throws {
        let sets = try coded(number).sets
        #expect(sets.sequences.map(\.id) == [number] && sets.pictureIDs == [number])
        #expect(sets.freeID == (number == 0 ? 1 : 0))
        let sequence = try #require(sets.sequences.first)
        #expect(sequence.isProgressive && sequence.chroma == 1 && sequence.bitDepth == 8)
    }

    @Test("the record of two holds the sets of both and promises what both do")
    func merged() throws {
        let (one, other) = (
            try coded(0, profile: .baseline).sets, try coded(1, profile: .high).sets
        )
        let record = try #require(one.record(with: other))
        let both = try #require(AVCParameterSets(record: record))
        #expect(both.sequences == one.sequences + other.sequences && both.pictureIDs == [0, 1])
        #expect(
            record[1] == 100 && record[3] == max(one.sequences[0].level, other.sequences[0].level))
        #expect(both.freeID == 2)
        // the same sets again are there already
        #expect(both.record(with: other) == record)
    }

    @Test("different sets of one number cannot share a record")
    func clash() throws {
        #expect(
            try coded(0, profile: .baseline).sets.record(with: coded(0, profile: .high).sets) == nil
        )
    }

    @Test("what is no record is none, cut off anywhere")
    func damaged() throws {
        let record = try #require(try coded(0).sets.record(with: coded(1).sets))
        // the end of a high profile's record says what the sets do, too
        for count in 0..<record.count - 4 {
            #expect(AVCParameterSets(record: Array(record[..<count])) == nil, "\(count)")
        }
    }

    @Test("a refresh is seen in the sample, and no other frame is taken for one")
    func entry() throws {
        let (sets, first) = try coded(0)
        let entry = CodedEntry(first, of: .h264)
        #expect(entry.isRefresh && entry.sets.isEmpty && sets.hold(entry))
        var bytes = first.withUnsafeBytes { Array($0) }
        // the last unit is the slice: recovery points are I slices of type 1
        var offset = 0
        var slice = 0
        while offset + 4 < bytes.count {
            slice = offset + 4
            offset += 4 + bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        bytes[slice] = bytes[slice] & 0xE0 | 1
        #expect(!CodedEntry(BlockBuffer(bytes), of: .h264).isRefresh)
        #expect(!CodedEntry(BlockBuffer([UInt8]()), of: .h264).isRefresh)
        #expect(!CodedEntry(BlockBuffer([0xFF, 0xFF, 0xFF, 0xFF, 5]), of: .h264).isRefresh)
    }

    @Test("sets inside a sample are held only where the record has them")
    func setsInSamples() throws {
        let (one, other) = (try coded(0, profile: .baseline), try coded(0, profile: .high))
        func sample(_ unit: [UInt8]) -> BlockBuffer {
            BlockBuffer(
                [0, 0, 0, UInt8(unit.count)] + unit + one.first.withUnsafeBytes { Array($0) })
        }
        #expect(one.sets.hold(CodedEntry(sample(one.sets.sequenceUnits[0]), of: .h264)))
        #expect(!one.sets.hold(CodedEntry(sample(other.sets.sequenceUnits[0]), of: .h264)))
    }

    @Test("sets that say how many frames are decoded ahead say more, and decode to the same")
    func reorder() throws {
        for (encoder, parameters) in [
            ("libx264", "bframes=0"),
            ("libx264", "bframes=0:nal-hrd=vbr:vbv-maxrate=300:vbv-bufsize=300"),
            ("libx265", "bframes=0:log-level=none"),
        ] {
            let option = encoder == "libx264" ? "-x264-params" : "-x265-params"
            let movie = try CodedMovie([option, parameters], encoder: encoder)
            let record = movie.format.codecConfiguration
            let sets = try #require(ParameterSets(record: record, of: movie.format.codec))
            let none = try #require(sets.record(reorder: 0))
            let three = try #require(sets.record(reorder: 3))
            #expect(none != three, "\(parameters)")
            let again = try #require(ParameterSets(record: three, of: movie.format.codec))
            #expect(again.record(reorder: 2) == three && again.record(reorder: 3) == three)
            #expect(again.record(reorder: 4) != three)
            #expect(try movie.frames(movie.blocks, record: three) == movie.frames())
        }
    }
}
