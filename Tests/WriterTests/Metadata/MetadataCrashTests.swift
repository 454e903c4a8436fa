import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Metadata of takes that a crash cut, and of strangers")
struct MetadataCrashTests {
    static let format = MetadataFormat(keys: [.init("com.example.code", .text)])

    /// A sample every 0.7 s, the second and fourth of 0.1 s with the empty one behind it.
    private func take() throws -> CodedTake {
        var take = CodedTake.synthetic(seconds: 4)
        let track = take.tracks.count
        take.tracks.append(ContainerTrack(format: .metadata(Self.format), timescale: 90_000))
        for number in 0..<5 {
            let start = Int64(number) * 63_000 + 4500
            let group = TimedMetadataGroup(
                items: [MetadataItem("com.example.code", .text("code \(number)"))],
                start: MediaTime(value: start, timescale: 90_000),
                duration: number % 2 == 1 ? MediaTime(value: 9000, timescale: 90_000) : nil)
            take.samples.append((track, try SampleBuffer(group, format: Self.format)))
            if number % 2 == 1 {
                take.samples.append(
                    (track, .endOfMetadata(at: start + 9000, 90_000, Self.format)))
            }
        }
        take.samples = take.samples.enumerated().sorted {
            ($0.element.sample.presentationTime, $0.offset)
                < ($1.element.sample.presentationTime, $1.offset)
        }.map(\.element)
        return take
    }

    private struct Found: Equatable {
        var start: Int64
        var length: Int64
        var text: String
    }

    private func found(_ movie: MovieFile, _ content: [UInt8]) throws -> [Found] {
        let track = try #require(movie.tracks.first { $0.header.mediaType == .metadata })
        // what comes before the first sample is an empty edit of an ordinary movie
        let empty =
            track.edits.first.flatMap { $0.mediaTime == nil ? Int64($0.duration) : nil } ?? 0
        let late = MediaTime(value: empty, timescale: movie.timescale)
            .ticks(per: track.timescale, rounding: .nearest)
        return try track.samples.map { sample in
            let range = Int(sample.offset)..<Int(sample.offset) + Int(sample.size)
            let bytes = BlockBuffer(Array(content[range]))
            let isJSON = track.code == "mett"
            let block = isJSON ? MetadataJSON.packed(bytes, Self.format) : bytes
            let packed = SampleBuffer(
                payload: .coded(try #require(block)), format: .metadata(Self.format),
                presentationTime: .zero)
            let items = try #require(packed.metadata?.items)
            var text = ""
            if case .text(let value)? = items.first?.value { text = value }
            return Found(
                start: sample.presentationTime - track.movieShift + late,
                length: Int64(sample.duration),
                text: text)
        }
    }

    private func load(_ content: [UInt8]) throws(MediaError) -> MovieFile {
        try MovieFile(io: ScriptedFileIO(content: content), name: "take")
    }

    @Test(
        "killed at any byte, every sample on the disk comes back on its tick, and repair keeps it",
        arguments: [MovieContainer.mov, .mp4])
    func kills(container: MovieContainer) throws {
        let take = try take()
        let truth = take.samples.filter { $0.sample.format.mediaType == .metadata }.map {
            (start: $0.sample.presentationTime.value, text: $0.sample.metadata?.items.first)
        }
        let io = ScriptedFileIO()
        let writer = try take.begun(DurableFile(scripted: io), container)
        try take.append(to: writer)
        try writer.flush()
        let content = io.content
        writer.abandon()
        var most = 0
        for length in stride(from: 2000, through: content.count, by: 97) + [content.count] {
            let cut = Array(content[..<length])
            guard let movie = try? load(cut) else { continue }
            let before = try found(movie, cut)
            #expect(before.map(\.start) == truth.prefix(before.count).map(\.start))
            for (one, other) in zip(before, truth) {
                #expect(other.text.map { $0.value == .text(one.text) } ?? one.text.isEmpty)
            }
            #expect(before.count >= most)
            most = max(most, before.count)
            // what holds on holds until the movie's end
            let end = movie.duration.ticks(per: 90_000, rounding: .nearest)
            if let last = before.last {
                #expect(last.start + last.length <= max(end, last.start + 1))
            }
            let disk = ScriptedFileIO(content: cut)
            _ = try MovieRepair.repair(disk, name: "take")
            let repaired = try load(disk.content)
            #expect(repaired.layout == .ordinary)
            #expect(try found(repaired, disk.content) == before)
        }
        #expect(most == truth.count)
        let whole = try load(content)
        let end = whole.duration.ticks(per: 90_000, rounding: .nearest)
        #expect(
            try found(whole, content).map(\.length) == [
                63_000, 9000, 54_000, 63_000, 9000, 54_000, end - 256_500,
            ])
    }

    @Test("what holds for a day is said again where a table of durations cannot say so much")
    func longSilence() throws {
        let io = ScriptedFileIO()
        let writer = MovieFileWriter(file: DurableFile(scripted: io), container: .mov)
        _ = try writer.addTrack(ContainerTrack(format: .metadata(Self.format), timescale: 90_000))
        try writer.begin(MovieMetadata())
        let day: Int64 = 86_400 * 90_000
        for (text, start) in [("one", Int64(0)), ("two", day)] {
            let group = TimedMetadataGroup(
                items: [MetadataItem("com.example.code", .text(text))],
                start: MediaTime(value: start, timescale: 90_000))
            try writer.append(try SampleBuffer(group, format: Self.format), track: 0)
        }
        _ = try writer.finish()
        let samples = try found(load(io.content), io.content)
        #expect(samples.map(\.text) == ["one", "one", "one", "one", "two"])
        #expect(samples.first?.start == 0 && samples.last?.start == day)
        #expect(samples.dropLast().reduce(0) { $0 + $1.length } == day)
    }

    @Test("the camera's own metadata is passed over, as before")
    func cameras() throws {
        let keyed = MetadataFormat(keys: [.init("com.apple.quicktime.still-image-time", .data)])
        #expect(throws: MediaError.self) {
            try SampleEntry.description(of: .metadata(keyed), in: .mov)
        }
        var bytes = try SampleEntry.description(of: .metadata(Self.format), in: .mov)
        var reader = BoxReader(type: "stsd", bytes: Array(bytes[8...]), at: 0, file: "x")
        #expect(try SampleEntryReader.read(&reader, .metadata).format == .metadata(Self.format))
        let name = Array("com.example.code".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        // a namespace that is no name in reverse-DNS form
        bytes[place - 1] = 0
        reader = BoxReader(type: "stsd", bytes: Array(bytes[8...]), at: 0, file: "x")
        #expect(try SampleEntryReader.read(&reader, .metadata).format == nil)
    }

    @Test("with any bytes of its structure changed, a movie with metadata costs no trap")
    func corruption() throws {
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for container in MovieContainer.allCases {
            let finished = ScriptedFileIO()
            _ = try take().write(to: DurableFile(scripted: finished), container: container)
            let content = finished.content
            let places = Array(content.indices.suffix(5000)) + Array(content.indices.prefix(3000))
            for _ in 0..<800 {
                var broken = content
                for _ in 0...next(3) {
                    broken[places[next(places.count)]] = [0, 0x7F, 0x80, 0xFF, 1][next(5)]
                }
                guard let movie = try? load(broken) else { continue }
                _ = Asset(movie)
            }
        }
    }
}
