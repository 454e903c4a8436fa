import Media
import TestSupport
import Testing

@testable import LibAV

/// Ways of coding that differ in what stands in slice headers.
private struct Coding: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arguments: [String]

    init(_ name: String, _ parameters: String, _ arguments: String = "") {
        testDescription = name
        self.arguments =
            arguments.split(separator: " ").map(String.init)
            + ["-x265-params", "log-level=none:keyint=20:" + parameters]
    }

    static let all = [
        Coding("usual", "open-gop=0"),
        Coding("open groups", "open-gop=1:bframes=4:b-adapt=0:no-scenecut=1"),
        Coding("slices", "slices=2:ctu=16"),
        Coding("wavefronts", "wpp=1:ctu=16"),
        Coding("weighted prediction", "weightp=1:weightb=1:bframes=3"),
        Coding("10 bits", "open-gop=0", "-pix_fmt yuv420p10le"),
        Coding("4:4:4", "open-gop=0", "-pix_fmt yuv444p"),
        Coding("temporal layers", "temporal-layers=1:bframes=3:b-adapt=0"),
        Coding("a buffer's model", "hrd=1:vbv-maxrate=300:vbv-bufsize=300:bitrate=200"),
        Coding("sets in the stream", "repeat-headers=1"),
        Coding("lossless", "lossless=1"),
        Coding("coarse", "qp=51"),
    ]

    func movie() throws -> CodedMovie { try CodedMovie(arguments, encoder: "libx265") }
}

@Suite(
    "HEVCRenumbering of movies",
    .enabled(if: Program.tool("ffmpeg") != nil, "ffmpeg is missing: scripts/install-deps test"))
struct HEVCRenumberingTests {
    private func sets(_ movie: CodedMovie) throws -> HEVCParameterSets {
        try #require(HEVCParameterSets(record: movie.format.codecConfiguration))
    }

    /// Types of the slices of a sample and numbers of the picture parameter sets that they name.
    private func slices(_ block: BlockBuffer) -> [(type: UInt8, picture: UInt64)] {
        CodedMovie.units(block).filter { $0[0] >> 1 < 32 }.map { unit in
            var reader = BitReader(unescaping: unit.dropFirst(2))
            let type = unit[0] >> 1
            reader.skip((16...23).contains(type) ? 2 : 1)
            return (type, reader.unsigned())
        }
    }

    @Test("sets are read as they are coded")
    func parameters() throws {
        let sets = try sets(CodedMovie(["-x265-params", "log-level=none"], encoder: "libx265"))
        #expect(sets.videoIDs == [0] && sets.sequences.map(\.id) == [0] && sets.pictureIDs == [0])
        let sequence = try #require(sets.sequences.first)
        #expect(sequence.chroma == 1 && sequence.bitDepth == 8 && sequence.isProgressive)
        #expect(sets.hasRoom)
        let deep = try self.sets(
            CodedMovie(
                ["-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le"], encoder: "libx265"))
        #expect(deep.sequences.map(\.bitDepth) == [10])
        for count in 0..<sets.record.count {
            #expect(HEVCParameterSets(record: Array(sets.record[..<count])) == nil, "\(count)")
        }
    }

    @Test("every frame decodes to the same with other numbers", arguments: Coding.all)
    private func sameFrames(coding: Coding) throws {
        let movie = try coding.movie()
        let own = try sets(movie)
        let frames = try movie.frames()
        #expect(frames.count == 50)
        // beside itself, and beside that
        let first = try #require(HEVCRenumbering(own, besides: own))
        #expect(first.sets.videoIDs == [1] && first.sets.sequences.map(\.id) == [1])
        #expect(first.sets.pictureIDs == [15])
        let both = try #require(
            own.record(with: first.sets).flatMap(HEVCParameterSets.init(record:)))
        let second = try #require(HEVCRenumbering(own, besides: both))
        #expect(second.sets.pictureIDs == [16])
        for (renumbering, number) in [(first, 15), (second, 16)] {
            let blocks = movie.blocks.compactMap { renumbering.rewritten($0, begins: false) }
            try #require(blocks.count == movie.samples.count)
            for (block, source) in zip(blocks, movie.blocks) {
                let named = slices(block)
                #expect(!named.isEmpty && named.allSatisfy { $0.picture == number })
                #expect(named.map(\.type) == slices(source).map(\.type))
            }
            #expect(try movie.frames(blocks, record: renumbering.sets.record) == frames)
        }
    }

    @Test("without the numbers in its slices nothing decodes to the same")
    func control() throws {
        let movie = try Coding.all[0].movie()
        let renumbering = try #require(HEVCRenumbering(sets(movie), besides: sets(movie)))
        let frames = try? movie.frames(movie.blocks, record: renumbering.sets.record)
        #expect(try frames != movie.frames())
    }

    @Test("movies of the same numbers and other sets decode in one track")
    func oneTrack() throws {
        let first = try CodedMovie(
            ["-x265-params", "log-level=none:ref=2:ctu=32"], encoder: "libx265")
        let second = try CodedMovie(
            ["-x265-params", "log-level=none:ref=4:ctu=16:amp=1:no-sao=1"], encoder: "libx265",
            filter: "hflip,negate")
        let sets = try (first: sets(first), second: sets(second))
        #expect(sets.first.record(with: sets.second) == nil)
        let renumbering = try #require(HEVCRenumbering(sets.second, besides: sets.first))
        let record = try #require(sets.first.record(with: renumbering.sets))
        var format = first.format
        format.codecConfiguration = record
        let decoder = try VideoDecoder(format: format)
        var frames: [SampleBuffer] = []
        for sample in first.samples { frames += try decoder.decode(sample) }
        for (index, source) in second.samples.enumerated() {
            var sample = source
            let block = try #require(source.block)
            sample.payload = .coded(
                try #require(renumbering.rewritten(block, begins: index == 0)))
            frames += try decoder.decode(sample)
        }
        frames += try decoder.finish()
        let bytes = frames.compactMap(\.pixelBuffer).map(CodedMovie.bytes)
        #expect(try bytes == first.frames() + second.frames())
    }

    @Test(
        "an open group is entered: its leading frames are left out, the others are what they were")
    func entry() throws {
        let movie = try Coding.all[1].movie()
        let frames = try movie.frames()
        let shown = movie.samples.map(\.presentationTime)
        let place = try #require(
            movie.samples.indices.dropFirst().first { movie.samples[$0].isSync })
        let entry = try #require(movie.samples[place].block)
        #expect(slices(entry).allSatisfy { $0.type == 21 })
        #expect(CodedEntry(entry, of: .hevc).isRefresh)
        let begun = try #require(HEVCRenumbering.begun(entry))
        #expect(slices(begun).allSatisfy { $0.type == 18 })
        // what is before it belongs to another decoder's life
        let kept = movie.samples.indices.filter { $0 >= place && shown[$0] >= shown[place] }
        #expect(kept.count < movie.samples.count - place, "there are leading frames")
        let decoder = try VideoDecoder(format: movie.format)
        var decoded: [SampleBuffer] = []
        for sample in movie.samples[..<place] { decoded += try decoder.decode(sample) }
        let before = movie.samples[..<place].count
        for index in kept {
            var sample = movie.samples[index]
            if index == place { sample.payload = .coded(begun) }
            decoded += try decoder.decode(sample)
        }
        decoded += try decoder.finish()
        let bytes = decoded.compactMap(\.pixelBuffer).map(CodedMovie.bytes)
        #expect(bytes.count == before + kept.count)
        #expect(Array(bytes.suffix(kept.count)) == Array(frames.suffix(kept.count)))
    }

    @Test("damage, other layers and foreign sets are refused, and nothing is read outside")
    func refused() throws {
        let movie = try Coding.all[0].movie()
        let renumbering = try #require(HEVCRenumbering(sets(movie), besides: sets(movie)))
        let block = try #require(movie.blocks.first)
        let bytes = block.bytes
        for count in 0..<min(64, bytes.count) {
            #expect(renumbering.rewritten(BlockBuffer(Array(bytes[..<count])), begins: true) == nil)
        }
        let unit = try #require(CodedMovie.units(block).first { $0[0] >> 1 < 32 })
        func sample(_ unit: [UInt8]) -> BlockBuffer {
            BlockBuffer(withUnsafeBytes(of: UInt32(unit.count).bigEndian) { Array($0) } + unit)
        }
        #expect(renumbering.rewritten(sample(unit), begins: false) != nil)
        var layered = unit
        layered[1] |= 8
        #expect(renumbering.rewritten(sample(layered), begins: false) == nil)
        // a set that is not the record's
        #expect(renumbering.rewritten(sample([33 << 1, 1, 1, 2, 3]), begins: false) == nil)
        // a slice of picture parameter set 1
        var other = unit
        other[2] = other[2] & 0xC0 | 0x10
        #expect(renumbering.rewritten(sample(other), begins: false) == nil)
    }
}
