import Media
import TestSupport
import Testing

@testable import LibAV

/// Ways of coding that differ in what stands in slice headers or how they end.
private struct Coding: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arguments: [String]

    init(_ name: String, _ parameters: String, _ arguments: String = "") {
        testDescription = name
        self.arguments =
            arguments.split(separator: " ").map(String.init)
            + (parameters.isEmpty ? [] : ["-x264-params", parameters])
    }

    static let all = [
        Coding("arithmetic", "bframes=3:b-pyramid=normal:ref=5:weightp=2:weightb=1:direct=auto"),
        Coding("run lengths", "cabac=0:bframes=3:b-pyramid=normal:ref=5:weightp=2:weightb=1"),
        Coding("baseline", "keyint=10", "-profile:v baseline"),
        Coding("slices", "slices=4:bframes=3:weightp=2"),
        Coding("slices of run lengths", "slices=4:cabac=0"),
        Coding("interlaced", "tff=1:bframes=3:b-pyramid=normal:ref=5", "-flags +ildct+ilme"),
        Coding("interlaced run lengths", "tff=1:cabac=0:bframes=2", "-flags +ildct+ilme"),
        Coding("progressive as fields", "fake-interlaced=1:bframes=2"),
        Coding("10 bits", "bframes=3:weightp=2:ref=5", "-pix_fmt yuv420p10le"),
        Coding("4:2:2 in 10 bits", "bframes=3:weightp=2", "-pix_fmt yuv422p10le"),
        Coding("4:4:4", "bframes=3:weightp=2:weightb=1", "-pix_fmt yuv444p"),
        Coding("gray", "bframes=3:weightp=2", "-pix_fmt gray"),
        Coding("lossless", "bframes=2", "-qp 0 -pix_fmt yuv444p"),
        Coding("a refresh that wanders", "intra-refresh=1:keyint=20"),
        Coding("open groups", "open-gop=1:keyint=10:bframes=3:b-adapt=0"),
        Coding(
            "a buffer's model", "nal-hrd=vbr:bframes=2", "-b:v 200k -maxrate 300k -bufsize 300k"),
        Coding("no deblocking", "no-deblock=1:bframes=2"),
        Coding("noise", "bframes=2:keyint=15", "-qp 4"),
    ]

    func movie() throws -> CodedMovie {
        try testDescription == "noise"
            ? CodedMovie(arguments, filter: "noise=alls=60:allf=t") : CodedMovie(arguments)
    }
}

@Suite(
    "AVCRenumbering of movies",
    .enabled(if: Program.tool("ffmpeg") != nil, "ffmpeg is missing: scripts/install-deps test"))
struct AVCRenumberingTests {
    private func sets(_ movie: CodedMovie) throws -> AVCParameterSets {
        try #require(AVCParameterSets(record: movie.format.codecConfiguration))
    }

    /// Numbers of the picture parameter sets that the slices of a sample name.
    private func ids(_ block: BlockBuffer) -> [UInt64] {
        CodedMovie.units(block).filter { [1, 5].contains($0[0] & 31) }.map { unit in
            var reader = BitReader(unescaping: unit.dropFirst())
            _ = (reader.unsigned(), reader.unsigned())
            return reader.unsigned()
        }
    }

    /// Samples without messages, which may be left out.
    private func plain(_ blocks: [BlockBuffer]) -> [[[UInt8]]] {
        blocks.map { CodedMovie.units($0).filter { $0[0] & 31 != 6 } }
    }

    @Test(
        "every frame decodes to the same with other numbers, and getting the old ones back gives the old bytes",
        arguments: Coding.all)
    private func sameFrames(coding: Coding) throws {
        let movie = try coding.movie()
        let sets = try sets(movie)
        let frames = try movie.frames()
        #expect(frames.count == 50)
        for (sequence, picture) in [(1, 1), (7, 7), (20, 20), (31, 31), (3, 255)] {
            let renumbering = try #require(
                AVCRenumbering(sets, sequenceIDs: [sequence], pictureIDs: [picture]))
            #expect(renumbering.sets.sequences.map(\.id) == [sequence])
            #expect(renumbering.sets.pictureIDs == [picture])
            let blocks = movie.blocks.compactMap(renumbering.rewritten)
            try #require(blocks.count == movie.samples.count)
            let named = blocks.map(ids)
            #expect(named.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == picture } })
            #expect(try movie.frames(blocks, record: renumbering.record) == frames)
            let back = try #require(
                AVCRenumbering(renumbering.sets, sequenceIDs: [0], pictureIDs: [0]))
            #expect(back.sets == sets)
            #expect(plain(blocks.compactMap(back.rewritten)) == plain(movie.blocks))
        }
    }

    @Test("without the numbers in its slices nothing decodes to the same")
    func control() throws {
        let movie = try CodedMovie([])
        let renumbering = try #require(
            AVCRenumbering(sets(movie), sequenceIDs: [1], pictureIDs: [1]))
        let frames = try? movie.frames(movie.blocks, record: renumbering.record)
        #expect(try frames != movie.frames())
    }

    @Test(
        "two movies of the same numbers and other sets decode in one track",
        arguments: ["cabac=0:bframes=2:ref=2", "bframes=3:ref=4:weightp=2"])
    func oneTrack(parameters: String) throws {
        let first = try CodedMovie(["-x264-params", "bframes=2:ref=3:no-8x8dct=1"])
        let second = try CodedMovie(["-x264-params", parameters], filter: "hflip,negate")
        let sets = try (first: sets(first), second: sets(second))
        #expect(sets.first.record(with: sets.second) == nil)
        let renumbering = try #require(AVCRenumbering(sets.second, besides: sets.first))
        let record = try #require(sets.first.record(with: renumbering.sets))
        let blocks = second.blocks.compactMap(renumbering.rewritten)
        try #require(blocks.count == second.samples.count)
        let decoder = try VideoDecoder(format: first.format.with(record))
        var frames: [SampleBuffer] = []
        for sample in first.samples { frames += try decoder.decode(sample) }
        for (sample, block) in zip(second.samples, blocks) {
            var sample = sample
            sample.payload = .coded(block)
            frames += try decoder.decode(sample)
        }
        frames += try decoder.finish()
        let expected = try first.frames() + second.frames()
        #expect(frames.compactMap(\.pixelBuffer).map(CodedMovie.bytes) == expected)
    }

    @Test("a sample cut anywhere, or with any byte turned over, is refused or rewritten")
    func damage() throws {
        for coding in Coding.all.prefix(6) {
            let movie = try coding.movie()
            let renumbering = try #require(
                AVCRenumbering(sets(movie), sequenceIDs: [7], pictureIDs: [7]))
            for block in movie.blocks.prefix(4) {
                let bytes = block.bytes
                let slice = try #require(
                    CodedMovie.units(block).first { [1, 5].contains($0[0] & 31) })
                let ends = ends(bytes)
                for count in 0..<min(bytes.count, 200) {
                    let cut = renumbering.rewritten(BlockBuffer(Array(bytes[..<count])))
                    #expect(cut == nil || ends.contains(count))
                    // cut where its length says so
                    _ = renumbering.rewritten(
                        BlockBuffer(AVCSyntax.sample([Array(slice.prefix(count))])))
                    for mask: UInt8 in [0xFF, 1, 0x80, 0x18] {
                        var turned = bytes
                        turned[count] ^= mask
                        _ = renumbering.rewritten(BlockBuffer(turned))
                    }
                }
            }
        }
    }

    /// Where units of a sample end.
    private func ends(_ bytes: [UInt8]) -> Set<Int> {
        CodedMovie.units(BlockBuffer(bytes)).reduce(into: ([], 0)) {
            (ends: inout (Set<Int>, Int), unit) in
            ends.1 += 4 + unit.count
            ends.0.insert(ends.1)
        }.0
    }
}

extension VideoFormat {
    fileprivate func with(_ record: [UInt8]) -> VideoFormat {
        var format = self
        format.codecConfiguration = record
        return format
    }
}
