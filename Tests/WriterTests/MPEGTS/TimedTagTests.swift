import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Pauses and markers in MPEG-TS")
struct TimedTagTests {
    private let notes: [MovieAnnotation] = [
        .pause(at: .milliseconds(250), duration: .seconds(7)),
        .marker("Tor 2 – außen", at: .milliseconds(600)), .marker("", at: .milliseconds(601)),
        .tags(["title": "Tor – außen", "org.vcap.scene": "2"], at: .milliseconds(700)),
    ]

    @Test("what is written as a tag is read back, and broken ones do no harm")
    func roundTrip() {
        for note in notes {
            let bytes = TimedTag.bytes(of: note)
            #expect(TimedTag.read(bytes, at: note.time) == [note])
            // as libavformat 59 hands it over
            #expect(TimedTag.read(Array(bytes.dropFirst(5)), at: note.time) == [note])
            for length in bytes.indices {
                #expect(TimedTag.read(Array(bytes[..<length]), at: note.time).count <= 1)
            }
            for index in bytes.indices {
                var bent = bytes
                bent[index] ^= 0xFF
                #expect(TimedTag.read(bent, at: note.time).count <= 1)
            }
        }
        let long = MovieAnnotation.marker(String(repeating: "lang ", count: 5000), at: .zero)
        #expect(TimedTag.read(TimedTag.bytes(of: long), at: .zero) == [long])
        #expect(TimedTag.read(Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 9], at: .zero).isEmpty)
    }

    @Test(
        "they are in the stream at their times, finished or cut off, and players play it",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func inTheFile() throws {
        let folder = try TemporaryFolder()
        var take = try CodedTake.real.get()
        take.annotations = notes
        let grown = folder.file("grown.ts")
        try OtherContainers.save(
            try OtherContainers.growing(take, .mpegTS, in: folder), grown)
        let finished = folder.file("finished.ts")
        try OtherContainers.finished(take, .mpegTS, finished)
        for path in [grown, finished] {
            let asset = try Asset.load(path)
            #expect(asset.pauses.map { $0.time.ticks(per: 1000, rounding: .nearest) } == [250])
            #expect(asset.pauses.map(\.duration) == [.seconds(7)])
            #expect(asset.markers.map(\.text) == ["Tor 2 – außen", ""])
            #expect(
                asset.markers.map { $0.time.ticks(per: 1000, rounding: .nearest) } == [600, 601])
            #expect(asset.tracks.map(\.mediaType) == [.video, .audio])
            #expect(asset.tracks[0].sampleCount == 60)
            #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
        }
    }
}
