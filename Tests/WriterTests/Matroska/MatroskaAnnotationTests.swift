import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Pauses and markers in Matroska")
struct MatroskaAnnotationTests {
    private let notes: [MovieAnnotation] = [
        .pause(at: .milliseconds(250), duration: .seconds(7)),
        .marker("Tor 2 – außen", at: .milliseconds(600)), .marker("", at: .milliseconds(601)),
        .tags(["title": "Tor – außen", "org.vcap.scene": "2"], at: .milliseconds(700)),
    ]

    private func body(_ element: [UInt8]) throws -> [UInt8] {
        let header = try #require(EBMLElement(element[...], at: 0))
        #expect(header.id == MatroskaID.tags && header.end == Int64(element.count))
        return Array(element[header.headerSize...])
    }

    @Test("what is written as tags is read back, moved by the lead-in")
    func roundTrip() throws {
        let element = MatroskaAnnotations.element(notes, leadIn: .zero)
        #expect(
            MatroskaAnnotations.read(try body(element)) == [
                .pause(at: .nanoseconds(250_000_000), duration: .nanoseconds(7_000_000_000)),
                .marker("Tor 2 – außen", at: .nanoseconds(600_000_000)),
                .marker("", at: .nanoseconds(601_000_000)),
                .tags(
                    ["title": "Tor – außen", "org.vcap.scene": "2"], at: .nanoseconds(700_000_000)),
            ])
        let later = MatroskaAnnotations.element(notes, leadIn: .milliseconds(21))
        #expect(
            MatroskaAnnotations.read(try body(later)).map(\.time.value) == [
                271_000_000, 621_000_000, 622_000_000, 721_000_000,
            ])
    }

    @Test("a stranger's tags are none of ours, and broken ones do no harm")
    func strangers() throws {
        let element = MatroskaAnnotations.element(notes, leadIn: .zero)
        let whole = try body(element)
        for length in whole.indices { _ = MatroskaAnnotations.read(Array(whole[..<length])) }
        for index in whole.indices {
            var bent = whole
            bent[index] ^= 0xFF
            #expect(MatroskaAnnotations.read(bent).count <= notes.count)
        }
        for text in ["-5 1", "x", "9", "1 -1", "99999999999999999999 1"] {
            let simple = EBMLElement.bytes(
                MatroskaID.simpleTag,
                EBMLElement.bytes(MatroskaID.tagName, Array("VCAP_PAUSE".utf8))
                    + EBMLElement.bytes(MatroskaID.tagString, Array(text.utf8)))
            #expect(MatroskaAnnotations.read(EBMLElement.bytes(MatroskaID.tag, simple)).isEmpty)
        }
    }

    @Test(
        "they are in the file with the next cluster, and a finished movie has its chapters too",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func inTheFile() throws {
        let folder = try TemporaryFolder()
        var take = try CodedTake.real.get()
        take.annotations = notes
        let grown = folder.file("grown.mkv")
        try OtherContainers.save(
            try OtherContainers.growing(take, .matroska, in: folder), grown)
        let finished = folder.file("finished.mkv")
        try OtherContainers.finished(take, .matroska, finished)
        for path in [grown, finished] {
            let asset = try Asset.load(path)
            // AAC's priming makes everything 21.33 ms later in this container, movie time zero as well
            #expect(asset.pauses.map { $0.time.nanoseconds() / 1_000_000 } == [250])
            #expect(asset.pauses.map(\.duration) == [.seconds(7)])
            #expect(asset.markers.map(\.text) == ["Tor 2 – außen", ""])
            #expect(asset.markers.map { $0.time.nanoseconds() / 1_000_000 } == [600, 601])
            #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
            #expect(try MovieOracles(path: path).complaints() == "")
        }
        let json = try MovieOracles(path: finished).probe(["-show_chapters"])
        let chapters = json["chapters"] as? [[String: Any]] ?? []
        #expect(chapters.map { $0["start_time"] as? String } == ["0.621333", "0.622333"])
    }

    @Test(
        "markers of one instant are a chapter each, for ffprobe too",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: [false, true])
    func oneInstant(isRepaired: Bool) throws {
        let folder = try TemporaryFolder()
        var take = try CodedTake.real.get()
        take.annotations = [
            .marker("Tor", at: .milliseconds(600)), .marker("Jubel", at: .milliseconds(600)),
            .marker("Pfiff", at: .milliseconds(600)), .marker("Ende", at: .milliseconds(1500)),
        ]
        let path = folder.file("a.mkv")
        if isRepaired {
            try OtherContainers.save(
                try OtherContainers.growing(take, .matroska, in: folder), path)
            _ = try MovieRepair.repair(path)
        } else {
            try OtherContainers.finished(take, .matroska, path)
        }
        let json = try MovieOracles(path: path).probe(["-show_chapters"])
        let chapters = json["chapters"] as? [[String: Any]] ?? []
        #expect(
            chapters.compactMap { ($0["tags"] as? [String: Any])?["title"] as? String }
                == ["Tor", "Jubel", "Pfiff", "Ende"])
        // the container's ticks are nanoseconds; ffprobe shows microseconds
        #expect(
            chapters.map { $0["start_time"] as? String }
                == ["0.621333", "0.621333", "0.621333", "1.521333"])
        #expect(try Asset.load(path).markers.map(\.text) == ["Tor", "Jubel", "Pfiff", "Ende"])
        let demuxer = try Demuxer(path: path)
        #expect(demuxer.chapters.map(\.title) == ["Tor", "Jubel", "Pfiff", "Ende"])
    }

    @Test("chapters of another program are its markers")
    func foreignChapters() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.mkv")
        let list = folder.file("chapters.txt")
        try ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=300\nEND=800\ntitle=Anfang\n"
            .write(toFile: list, atomically: false, encoding: .utf8)
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=25:s=160x90", "-i", list, path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let asset = try Asset.load(path)
        #expect(asset.markers.map(\.text) == ["Anfang"])
        #expect(asset.markers.map { $0.time.nanoseconds() } == [300_000_000])
    }
}
