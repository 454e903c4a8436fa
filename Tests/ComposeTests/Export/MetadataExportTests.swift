import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading
@testable import Writing

@Suite("Metadata of films and conversions")
struct MetadataExportTests {
    private let folder: TemporaryFolder
    private static let format = MetadataFormat(keys: [
        .init("com.example.code", .text), .init("com.example.at", .rectangle),
    ])

    init() throws { folder = try TemporaryFolder() }

    private static func group(_ text: String, _ start: Int64, _ length: Int64?)
        -> TimedMetadataGroup
    {
        TimedMetadataGroup(
            items: [
                MetadataItem("com.example.code", .text(text)),
                MetadataItem(
                    "com.example.at", .rectangle(x: 0.1, y: Float(start), width: 1, height: 1)),
            ],
            start: MediaTime(value: start, timescale: 90_000),
            duration: length.map { MediaTime(value: $0, timescale: 90_000) })
    }

    private static let groups = [
        group("one", 3001, 6000), group("two", 45_007, nil), group("three", 90_011, 60_000),
        group("four", 170_003, 5),
    ]

    private func clip(_ name: String, _ format: MetadataFormat = format) async throws -> Asset {
        try await NumberedClip(
            frames: 60,
            video: VideoOutputSettings(
                codec: .h264, rate: .quality(24), preset: "ultrafast",
                keyFrameInterval: .milliseconds(500)), metadataFormat: format,
            metadata: format == Self.format ? Self.groups : []
        ).write(to: folder.file(name))
    }

    private struct Found: Equatable {
        var text: String
        var start: Int64
        var length: Int64

        init(_ text: String, _ start: Int64, _ length: Int64) {
            (self.text, self.start, self.length) = (text, start, length)
        }
    }

    private func samples(_ path: String) throws -> [SampleBuffer] {
        let asset = try Asset.load(path)
        let tracks = asset.tracks(of: .metadata)
        #expect(tracks.count == 1)
        #expect(tracks.first?.format == .metadata(Self.format))
        #expect(tracks.first?.name == "Codes")
        return try tracks.first.map { try asset.metadataSamples(of: $0) } ?? []
    }

    private func found(_ path: String) throws -> [Found] {
        try samples(path).map { sample in
            guard case .text(let text)? = sample.metadata?.items.first?.value else {
                return Found("", 0, 0)
            }
            func ticks(_ time: MediaTime) -> Int64 { time.ticks(per: 90_000, rounding: .nearest) }
            let start = ticks(sample.presentationTime)
            return Found(
                text, start, ticks(sample.presentationTime + (sample.duration ?? .zero)) - start)
        }
    }

    private static let whole = [
        Found("one", 3001, 6000), Found("two", 45_007, 45_004), Found("three", 90_011, 60_000),
        Found("four", 170_003, 5),
    ]

    @Test("copied from mov to mp4 and back, every sample has its bytes and its tick")
    func converted() async throws {
        let source = try await clip("a.mov")
        let bytes = try samples(source.path).map { $0.block?.bytes }
        #expect(try found(source.path) == Self.whole)
        var path = source.path
        for name in ["b.mp4", "c.mov", "d.mov", "e.mp4"] {
            let report = try await ConversionSession(Conversion(try Asset.load(path)))
                .convert(to: folder.file(name))
            #expect(report.metadataTracks == [.init(name: "Codes", samples: 4)])
            #expect(report.tracks.allSatisfy(\.isCopied) && report.notes == [])
            path = folder.file(name)
            #expect(try found(path) == Self.whole)
            #expect(try samples(path).map { $0.block?.bytes } == bytes)
        }
    }

    @Test("a range cuts samples; encoding carries them; where there is no place it is said")
    func rangesAndLosses() async throws {
        let source = try await clip("a.mov")
        var settings = ConversionSettings()
        settings.range = MediaTimeRange(start: .milliseconds(600), duration: .milliseconds(500))
        _ = try await ConversionSession(Conversion(source, settings: settings))
            .convert(to: folder.file("part.mp4"))
        #expect(
            try found(folder.file("part.mp4")) == [
                Found("two", 0, 36_011), Found("three", 36_011, 8989),
            ])
        let report = try await ConversionSession(Conversion(source))
            .convert(to: folder.file("a.mkv"))
        #expect(report.metadataTracks.isEmpty)
        #expect(
            report.notes == [
                "The metadata of track 3 is left out, because a .mkv file has no place for it; mp4 and "
                    + "mov have."
            ])
    }

    @Test(
        "films cut it, change its speed and carry it, encoded and copied",
        arguments: [true, false])
    func films(isCopied: Bool) async throws {
        let sources = [try await clip("a.mov"), try await clip("b.mp4")]
        let speed = isCopied ? Speed.normal : Speed(2, per: 1)
        let timeline = Timeline(videos: [
            VideoItem(sources[0].path, start: .zero, end: .seconds(1)),
            VideoItem(sources[1].path, start: .milliseconds(500), end: .seconds(2), speed: speed),
        ])
        let film = try TimelineBuilder.film(loading: timeline)
        var settings = ExportSettings()
        if isCopied { settings = ExportSettings(preset: .passthrough) }
        let path = folder.file("film.mp4")
        let report = try await ExportSession(film, settings: settings).export(to: path)
        #expect(report.metadataTracks == [.init(name: "Codes", samples: 5)])
        // the second clip's 45,000th tick lies at 90,000
        func second(_ tick: Int64) -> Int64 {
            90_000 + (isCopied ? tick - 45_000 : Int64((Double(tick - 45_000) / 2).rounded()))
        }
        func part(_ text: String, _ start: Int64, _ end: Int64) -> Found {
            Found(text, second(start), second(end) - second(start))
        }
        #expect(
            try found(path) == [
                Found("one", 3001, 6000), Found("two", 45_007, 44_993),
                part("two", 45_007, 90_011), part("three", 90_011, 150_011),
                part("four", 170_003, 170_008),
            ])
        #expect(try Asset.load(path).duration == report.duration)
        let other = try await ExportSession(film).export(to: folder.file("film.mkv"))
        #expect(other.metadataTracks.isEmpty)
        #expect(other.notes.contains { $0.contains("its metadata is left out") })
    }

    @Test(
        "conversions and films are no longer where metadata holds to the end",
        arguments: ["mov", "mp4"])
    func toTheEnd(kind: String) async throws {
        var numbered = NumberedClip(frames: 30, metadataFormat: Self.format)
        numbered.metadata = [Self.group("open", 3001, nil)]
        let source = try await numbered.write(to: folder.file("a.mov"))
        _ = try await ConversionSession(Conversion(source)).convert(to: folder.file("b.\(kind)"))
        let film = try TimelineBuilder.film(
            loading: Timeline(videos: [VideoItem(source.path)]))
        _ = try await ExportSession(film).export(to: folder.file("c.\(kind)"))
        for name in ["b", "c"] {
            let asset = try Asset.load(folder.file("\(name).\(kind)"))
            #expect(asset.tracks.allSatisfy { $0.duration <= asset.duration })
            #expect(try found(asset.path) == [Found("open", 3001, 86_999)])
        }
    }

    /// Writes other bytes of the same number in place of some.
    private func change(_ path: String, _ old: String, _ new: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let place = try #require(
            bytes.indices.last { bytes[$0...].prefix(old.utf8.count).elementsEqual(old.utf8) })
        bytes.replaceSubrange(place..<place + new.utf8.count, with: new.utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("of a metadata track with a damaged sample the others are kept, and the loss is reported")
    func damagedSample() async throws {
        let path = try await clip("a.mp4").path
        try change(path, ":\"two\"", "=\"two\"")
        let source = try Asset.load(path)
        let track = try #require(source.tracks(of: .metadata).first)
        let whole = Self.whole.filter { $0.text != "two" }
        let note = "A sample of the metadata of track 3 of \(path) is left out."
        let report = try await ConversionSession(Conversion(source))
            .convert(to: folder.file("b.mov"))
        #expect(try found(folder.file("b.mov")) == whole)
        #expect(report.notes.count == 1 && report.notes[0].hasPrefix(note), "\(report.notes)")
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(path)]))
        let exported = try await ExportSession(film).export(to: folder.file("c.mp4"))
        #expect(try found(folder.file("c.mp4")) == whole)
        #expect(exported.notes.contains { $0.hasPrefix(note) }, "\(exported.notes)")
        // who asks for every sample hears of it
        #expect(throws: MediaError.self) { try source.metadataSamples(of: track) }
        for text in ["one", "three", "four"] { try change(path, ":\"\(text)\"", "=\"\(text)\"") }
        let none = try await ConversionSession(Conversion(try Asset.load(path)))
            .convert(to: folder.file("d.mov"))
        #expect(none.notes.count == 1 && none.notes[0].hasPrefix("4 samples of the metadata"))
    }

    @Test("metadata of keys that nobody reads is listed, and reported as left out")
    func unreadTrack() async throws {
        let path = try await clip("a.mp4").path
        try change(path, "application/json", "application/else")
        let source = try Asset.load(path)
        let track = try #require(source.tracks(of: .metadata).first)
        #expect(track.format == nil && track.codecTag == "mett" && track.id == 3)
        let reason =
            "the metadata of track 3 is left out, because its keys are none that vcap reads"
        let report = try await ConversionSession(Conversion(source))
            .convert(to: folder.file("b.mov"))
        #expect(report.notes == ["T\(reason.dropFirst())."])
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(path)]))
        #expect(film.warnings == ["clip 1 (a.mp4): \(reason)"])
    }

    @Test("sources of other keys get a track of their own, and none goes into the wrong one")
    func keys() async throws {
        let other = MetadataFormat(keys: [.init("com.example.other", .integer)])
        let sources = [try await clip("a.mov"), try await clip("b.mov", other)]
        var composition = Composition()
        try composition.insert(sources[0], at: .zero)
        let track = try #require(sources[0].tracks(of: .metadata).first)
        let id = try #require(composition.tracks(of: .metadata).first?.id)
        #expect(composition.tracks(of: .metadata).map(\.metadataFormat) == [Self.format])
        #expect(composition.duration == sources[0].duration)
        var numbered = NumberedClip(frames: 30, metadataFormat: other)
        numbered.metadata = [
            TimedMetadataGroup(
                items: [MetadataItem("com.example.other", .integer(7))], start: .zero)
        ]
        let asset = try await numbered.write(to: folder.file("c.mov"))
        let foreign = try #require(asset.tracks(of: .metadata).first)
        let range = MediaTimeRange(start: .zero, duration: .milliseconds(500))
        #expect(throws: MediaError.self) {
            try composition.insert(range, of: asset, track: foreign, at: .zero, into: id)
        }
        try composition.insert(range, of: sources[0], track: track, at: .zero, into: id)
        try composition.insert(asset, at: .zero)
        #expect(
            Set(composition.tracks(of: .metadata).map(\.metadataFormat)) == [Self.format, other])
    }
}
