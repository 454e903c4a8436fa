import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("What a movie's file holds, in figures")
struct MovieContentsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Repairs and reports state these figures, probe those of the asset.
    private func requireEqual(_ path: String, frames: [Int64]) throws {
        let (contents, asset) = (try MovieContents(path: path), try Asset.load(path))
        #expect(contents.duration == asset.duration)
        #expect(contents.metadata == asset.metadata)
        #expect(contents.tracks.map(\.mediaType) == asset.tracks.map(\.mediaType))
        #expect(contents.tracks.map(\.sampleCount) == asset.tracks.map(\.sampleCount))
        #expect(contents.tracks.map(\.frames) == frames)
    }

    private func frames(of path: String) throws -> [Int64] {
        try Asset.load(path).tracks.map { track in
            guard let rate = track.format?.audio?.sampleRate else {
                return Int64(track.sampleCount)
            }
            return track.duration.ticks(per: Int32(rate), rounding: .nearest)
        }
    }

    @Test("a take in Matroska or MPEG-TS has the length and samples that its asset has")
    func otherContainers() throws {
        let take = try CodedTake.real.get()
        for (container, name) in [(MuxerContainer.matroska, "a.mkv"), (.mpegTS, "a.ts")] {
            let path = folder.file(name)
            try OtherContainers.finished(take, container, path)
            let expected = try frames(of: path)
            #expect(expected.allSatisfy { $0 > 0 } && expected.count == take.tracks.count)
            try requireEqual(path, frames: expected)
        }
    }

    @Test("a take in MP4 has the length and samples that its asset has")
    func movie() throws {
        let path = folder.file("a.mp4")
        let file = try DurableFile(
            creating: path, existing: .replace, gapHeader: MovieFileWriter.gapHeader)
        try CodedTake.real.get().write(to: file)
        try requireEqual(path, frames: try frames(of: path))
    }
}
