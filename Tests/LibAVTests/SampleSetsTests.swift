import Media
import TestSupport
import Testing

@testable import LibAV

@Suite(
    "Parameter sets that stand in samples",
    .enabled(if: Program.tool("ffmpeg") != nil, "ffmpeg is missing: scripts/install-deps test"))
struct SampleSetsTests {
    private static let codings:
        [(codec: VideoCodec, encoder: String, isSet: @Sendable (UInt8) -> Bool)] = [
            (.h264, "libx264", { [7, 8].contains($0 & 31) }),
            (.hevc, "libx265", { (32...34).contains($0 >> 1 & 63) }),
        ]

    private func movie(_ coding: Int, _ parameters: String) throws -> CodedMovie {
        let encoder = Self.codings[coding].encoder
        return try CodedMovie(
            ["-\(encoder.dropFirst(3))-params", "\(parameters):log-level=none"], encoder: encoder)
    }

    private func sets(_ movie: CodedMovie, _ coding: Int) throws -> ParameterSets {
        try #require(
            ParameterSets(
                record: movie.format.codecConfiguration, of: Self.codings[coding].codec))
    }

    @Test("those of the record are left out, and what decodes is the same", arguments: [0, 1])
    func leftOut(coding: Int) throws {
        let isSet = Self.codings[coding].isSet
        let movie = try movie(coding, "repeat-headers=1:keyint=10:bframes=2")
        let sets = try sets(movie, coding)
        let blocks = movie.blocks.compactMap(sets.withoutSets)
        try #require(blocks.count == 50)
        #expect(movie.blocks.contains { CodedMovie.units($0).contains { isSet($0[0]) } })
        for (block, whole) in zip(blocks, movie.blocks) {
            #expect(CodedMovie.units(block) == CodedMovie.units(whole).filter { !isSet($0[0]) })
        }
        let frames = try movie.frames()
        #expect(try movie.frames(blocks, record: movie.format.codecConfiguration) == frames)
    }

    @Test("others than those of the record stay, and damage stays damage", arguments: [0, 1])
    func kept(coding: Int) throws {
        let movie = try movie(coding, "repeat-headers=1:ref=1")
        let first = try #require(movie.blocks.first)
        let others = try sets(self.movie(coding, "ref=4:bframes=0"), coding)
        #expect(try sets(movie, coding).withoutSets(first).count < first.count)
        #expect(others.withoutSets(first).bytes == first.bytes)
        let torn = BlockBuffer(first.bytes.dropLast(3))
        #expect(try sets(movie, coding).withoutSets(torn).bytes == torn.bytes)
    }
}
