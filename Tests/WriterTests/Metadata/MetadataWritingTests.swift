import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

@Suite("Metadata tracks beside video and audio")
struct MetadataWritingTests {
    static let format = MetadataFormat(keys: [
        .init("com.example.code", .text), .init("com.example.level", .number),
    ])
    private let take = SyntheticTake(seconds: 3)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What is said from a time on, since the take's start (ms).
    struct Said: Equatable, CustomStringConvertible {
        var at: Int
        var length: Int?
        var text: String

        var description: String { "\(at)+\(length.map(String.init) ?? "…") \(text)" }
    }

    private func sample(_ said: Said) throws -> SampleBuffer {
        try SampleBuffer(
            TimedMetadataGroup(
                items: said.text.isEmpty
                    ? []
                    : [
                        MetadataItem("com.example.code", .text(said.text)),
                        MetadataItem("com.example.level", .number(0.1 * Double(said.at))),
                    ],
                start: .nanoseconds(SyntheticTake.start + Int64(said.at) * 1_000_000),
                duration: said.length.map { .milliseconds(Int64($0)) }), format: Self.format)
    }

    /// - Parameter pauses: from and to (ms).
    private func write(
        _ name: String, _ said: [Said], pauses: [(Int, Int)] = [], hasFrames: Bool = true
    ) async throws -> Asset {
        let path = folder.file(name)
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let video =
            hasFrames
            ? try writer.inputReceiver(
                for: VideoOutputSettings(codec: .h264), sourceFormat: take.videoFormat) : nil
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .aac), sourceFormat: take.audioFormat)
        let metadata = try writer.inputReceiver(for: Self.format, name: "Codes")
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        var waiting = said[...]
        var commands = pauses.flatMap { [($0.0, true), ($0.1, false)] }[...]
        for step in 0..<300 {
            while let (time, pauses) = commands.first, time < step * 10 + 10 {
                commands.removeFirst()
                let at = MediaTime.nanoseconds(SyntheticTake.start + Int64(time) * 1_000_000)
                if pauses { try writer.pause(at: at) } else { try writer.resume(at: at) }
            }
            try await audio.append(take.audioSample(from: step * 480, count: 480))
            for frame in 0..<90 where frame * 100 / 30 == step {
                var sample = take.frameSample(frame)
                sample.presentationTime = .nanoseconds(
                    SyntheticTake.start + Int64(frame) * 1_000_000_000 / 30)
                try await video?.append(sample)
            }
            while let next = waiting.first, next.at < step * 10 + 10 {
                waiting.removeFirst()
                try await metadata.append(sample(next))
            }
        }
        try writer.endSession(
            atSourceTime: .nanoseconds(SyntheticTake.start + 3_000_000_000))
        let result = try await writer.finish()
        #expect(result.tracks.last?.counts.dropped == [:])
        return try Asset.load(path)
    }

    private func said(_ asset: Asset, in range: MediaTimeRange? = nil) throws -> [Said] {
        let track = try #require(asset.tracks(of: .metadata).first)
        let output = try AssetReaderTrackOutput(asset: asset, track: track, settings: .metadata)
        let reader = AssetReader()
        try reader.add(output)
        if let range { reader.timeRange = range }
        try reader.start()
        var found: [Said] = []
        while let sample = try output.next() {
            let group = try #require(sample.metadata)
            guard case .text(let text)? = group.items.first?.value else { continue }
            found.append(
                Said(
                    at: Int(group.start.ticks(per: 1000, rounding: .nearest)),
                    length: group.duration.map { Int($0.ticks(per: 1000, rounding: .nearest)) },
                    text: text))
        }
        return found
    }

    @Test(
        "each sample comes back with its bytes, on its tick and with its length",
        arguments: ["a.mov", "a.mp4"])
    func roundTrip(name: String) async throws {
        let written = [
            Said(at: 100, length: 50, text: "first"), Said(at: 150, length: 50, text: "joined"),
            Said(at: 900, length: 2000, text: "cut by the next"),
            Said(at: 1201, length: nil, text: "until the next"),
            Said(at: 2007, length: nil, text: "to the end"),
        ]
        let asset = try await write(name, written)
        let track = try #require(asset.tracks(of: .metadata).first)
        #expect(track.codecTag == (name == "a.mov" ? "mebx" : "mett"))
        #expect(track.name == "Codes" && track.format == .metadata(Self.format))
        #expect(asset.duration == .seconds(3))
        #expect(
            try said(asset) == [
                written[0], written[1], Said(at: 900, length: 301, text: "cut by the next"),
                Said(at: 1201, length: 806, text: "until the next"),
                Said(at: 2007, length: 993, text: "to the end"),
            ])
        let bytes = try asset.metadataSamples(of: track).compactMap { $0.block?.bytes }
        #expect(bytes == (try written.map { try #require(sample($0).block?.bytes) }))
        let range = MediaTimeRange(start: .milliseconds(170), duration: .milliseconds(800))
        #expect(
            try said(asset, in: range) == [
                Said(at: 170, length: 30, text: "joined"),
                Said(at: 900, length: 70, text: "cut by the next"),
            ])
    }

    @Test(
        "ffmpeg plays the movie as if the metadata were not there",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: ["a.mov", "a.mp4"])
    func outsiders(name: String) async throws {
        let asset = try await write(
            name, (0..<40).map { Said(at: $0 * 70, length: 20, text: "\($0)") })
        let oracle = MovieOracles(path: asset.path)
        let streams = try oracle.streams()
        #expect(streams.map(\.codec).prefix(2) == ["h264", "aac"])
        #expect(streams.first?.frames == 90)
        #expect(streams.count == 3 && streams.last?.packets ?? 0 >= 40)
        #expect(try oracle.complaints() == "")
        #expect(try MovieOracle(asset.path).frameNumbers() == Array(0..<90))
    }

    @Test("a pause cuts what holds across it, and leaves out what begins in it")
    func pause() async throws {
        let written = [
            Said(at: 500, length: 1000, text: "across"), Said(at: 1100, length: 50, text: "within"),
            Said(at: 1600, length: 100, text: "behind"),
        ]
        // at frames: from the 30th to the 42nd
        let asset = try await write("a.mov", written, pauses: [(1000, 1400)])
        #expect(asset.duration == .milliseconds(2600))
        #expect(
            try said(asset) == [
                Said(at: 500, length: 600, text: "across"),
                Said(at: 1200, length: 100, text: "behind"),
            ])
        let open = [Said(at: 500, length: nil, text: "on"), Said(at: 2900, length: 1, text: "off")]
        let other = try await write("b.mp4", open, pauses: [(1000, 1400)])
        #expect(
            try said(other) == [
                Said(at: 500, length: 2000, text: "on"), Said(at: 2500, length: 1, text: "off"),
            ])
        // the last sample's pause is known only at the end
        let last = try await write(
            "c.mov", [Said(at: 500, length: 1000, text: "last")], pauses: [(1000, 1400)])
        #expect(try said(last) == [Said(at: 500, length: 600, text: "last")])
    }

    @Test("what begins in a pause and still holds at the resume is in the movie from there on")
    func stateInPause() async throws {
        let open = Said(at: 500, length: nil, text: "open")
        let next = Said(at: 2000, length: 100, text: "next")
        func written(_ name: String, _ inPause: Said...) async throws -> [Said] {
            // at frames: from the 30th to the 42nd
            try said(await write(name, [open] + inPause + [next], pauses: [(1000, 1400)]))
        }
        let after = Said(at: 1600, length: 100, text: "next")
        let before = Said(at: 500, length: 500, text: "open")
        func resumed(_ length: Int, _ text: String) -> [Said] {
            [before, Said(at: 1000, length: length, text: text), after]
        }
        #expect(
            try await written("a.mov", Said(at: 1100, length: nil, text: "on"))
                == resumed(600, "on"))
        #expect(
            try await written("b.mp4", Said(at: 1100, length: 700, text: "for a while"))
                == resumed(400, "for a while"))
        #expect(
            try await written(
                "c.mov", Said(at: 1100, length: nil, text: "one"),
                Said(at: 1200, length: nil, text: "two")) == resumed(600, "two"))
        // nothing holds any more
        #expect(
            try await written("d.mov", Said(at: 1100, length: nil, text: "")) == [before, after])
        // the control: what is over before the resume changes nothing
        #expect(
            try await written("e.mov", Said(at: 1100, length: 200, text: "short"))
                == [Said(at: 500, length: 1100, text: "open"), after])
    }

    @Test("what began before the movie and still holds at its start is in it from there on")
    func stateAtTheStart() async throws {
        let later = Said(at: 2000, length: 100, text: "later")
        let early = Said(at: -50, length: nil, text: "early")
        #expect(
            try said(await write("a.mov", [early, later]))
                == [Said(at: 0, length: 2000, text: "early"), later])
        #expect(
            try said(await write("b.mp4", [Said(at: -50, length: 150, text: "over"), later]))
                == [Said(at: 0, length: 100, text: "over"), later])
        // one of the very start stands behind it, as good as there, and so does a newer one
        let now = try said(
            await write("c.mov", [early, Said(at: 0, length: nil, text: "now"), later]))
        #expect(now.last == later && now.contains(Said(at: 0, length: 2000, text: "now")))
        let older = Said(at: -90, length: nil, text: "older")
        let newer = try said(await write("d.mov", [older, early, later]))
        #expect(newer.last == later && newer.contains(Said(at: 0, length: 2000, text: "early")))
    }

    @Test(
        "a movie of metadata alone lasts as long as its session, and the writer says what the file says",
        arguments: ["a.mov", "a.mp4"])
    func alone(name: String) async throws {
        for (length, isEnded, wanted) in [
            (Int?.none, true, 3000), (200, true, 3000), (200, false, 700),
        ] {
            let path = folder.file("\(length ?? 0)\(isEnded)\(name)")
            let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
            let receiver = try writer.inputReceiver(for: Self.format)
            try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
            try await receiver.append(sample(Said(at: 500, length: length, text: "alone")))
            if isEnded {
                try writer.endSession(
                    atSourceTime: .nanoseconds(SyntheticTake.start + 3_000_000_000))
            }
            let result = try await writer.finish()
            let asset = try Asset.load(path)
            #expect(asset.duration == result.duration)
            #expect(asset.duration.ticks(per: 1000, rounding: .nearest) == Int64(wanted))
            #expect(
                try said(asset) == [Said(at: 500, length: length ?? 2500, text: "alone")])
        }
    }

    @Test("a sample of less than a tick does not hold until the next one")
    func shortest() async throws {
        var metadata = try sample(Said(at: 500, length: 1, text: "short"))
        metadata.duration = .nanoseconds(1)
        let path = folder.file("a.mov")
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .aac), sourceFormat: take.audioFormat)
        let receiver = try writer.inputReceiver(for: Self.format)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        try await receiver.append(metadata)
        for step in 0..<100 {
            try await audio.append(take.audioSample(from: step * 480, count: 480))
        }
        _ = try await writer.finish()
        let asset = try Asset.load(path)
        let track = try #require(asset.tracks(of: .metadata).first)
        let found = try asset.metadataSamples(of: track)
        #expect(found.count == 1)
        #expect(found.first?.duration == MediaTime(value: 1, timescale: track.timescale))
    }

    @Test("metadata beside audio only, and at the movie's borders")
    func borders() async throws {
        let written = [
            Said(at: -10, length: 5, text: "before"), Said(at: 0, length: 5, text: "at zero"),
            Said(at: 2999, length: 500, text: "over the end"),
            Said(at: 3000, length: 1, text: "at"),
        ]
        let asset = try await write("a.mp4", written, hasFrames: false)
        #expect(
            try said(asset) == [written[1], Said(at: 2999, length: 1, text: "over the end")])
    }

    @Test("a metadata sample holds for a positive time or until the next one")
    func durations() throws {
        let items = [MetadataItem("com.example.code", .text("a"))]
        for duration in [MediaTime.zero, .seconds(-1)] {
            let error = #expect(throws: MediaError.self) {
                try SampleBuffer(
                    TimedMetadataGroup(items: items, start: .zero, duration: duration),
                    format: Self.format)
            }
            #expect(error?.code == .invalidSetting && error?.subject == "duration")
        }
    }

    @Test("containers without such tracks refuse it in a sentence, as do keys that nobody can have")
    func refusals() throws {
        for name in ["a.mkv", "a.webm", "a.ts", "a.m4a", "a.wav"] {
            let writer = try AssetWriter(
                AssetWriterConfiguration(outputPath: folder.file(name), mode: .offline))
            let error = #expect(throws: MediaError.self) {
                try writer.inputReceiver(for: Self.format)
            }
            #expect(error?.message.contains("holds no metadata tracks") ?? false)
        }
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: folder.file("a.mov"), mode: .offline))
        #expect(throws: MediaError.self) { try writer.inputReceiver(for: MetadataFormat(keys: [])) }
    }
}
