import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Movies from strangers")
struct HostileMovieTests {
    private struct Random {
        var state: UInt64 = 42

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    private func movies() throws -> [(name: String, content: [UInt8])] {
        let take = CodedTake.synthetic(seconds: 1)
        let finished = ScriptedFileIO()
        try take.write(to: DurableFile(scripted: finished))
        let growing = ScriptedFileIO()
        let writer = try take.begun(DurableFile(scripted: growing), .mov)
        try take.append(to: writer)
        try writer.flush()
        let content = growing.content
        writer.abandon()
        return [("finished", finished.content), ("growing", content)]
    }

    private func load(_ content: [UInt8]) throws(MediaError) -> MovieFile {
        try MovieFile(io: ScriptedFileIO(content: content), name: "x.mp4")
    }

    @Test("cut at any byte, a movie loads or is refused in a sentence that names the file")
    func truncation() throws {
        for (_, content) in try movies() {
            for length in stride(from: 0, to: content.count, by: 41) {
                do throws(MediaError) {
                    let movie = try load(Array(content[..<length]))
                    for track in movie.tracks {
                        #expect(track.samples.allSatisfy { $0.offset + Int64($0.size) <= length })
                    }
                } catch {
                    #expect(error.code == .damagedFile)
                    #expect(error.message.hasPrefix("Cannot read x.mp4: "))
                }
            }
        }
    }

    @Test("with any bytes of its structure changed, a movie costs no trap and no sample outside it")
    func corruption() throws {
        var random = Random()
        for (_, content) in try movies() {
            let io = ScriptedFileIO(content: content)
            let scanner = try BoxScanner(io, file: "x", limits: MovieLimits())
            // sample data says nothing: only headers and indexes are worth breaking
            let structure = scanner.entries.flatMap { entry -> [Int] in
                let whole = Int(entry.offset)..<Int(entry.end)
                return entry.type == "mdat" && entry.headerSize == 8
                    ? Array(whole.prefix(8)) : Array(whole.suffix(6000))
            }
            for _ in 0..<1500 {
                var broken = content
                for _ in 0...random.next(3) {
                    let place = structure[random.next(structure.count)]
                    let extremes: [UInt8] = [0, 0x7F, 0x80, 0xFF, UInt8(random.next(256))]
                    broken[place] = extremes[random.next(extremes.count)]
                }
                guard let movie = try? load(broken) else { continue }
                for track in movie.tracks {
                    #expect(
                        track.samples.allSatisfy {
                            $0.offset >= 0 && $0.offset + Int64($0.size) <= broken.count
                        })
                }
                _ = Asset(movie)
            }
        }
    }

    private func movie(_ body: (inout BoxBuilder) -> Void) -> [UInt8] {
        var builder = BoxBuilder()
        builder.append(MovieContainer.mp4.fileType)
        builder.box("moov") { body(&$0) }
        return builder.bytes
    }

    private func track(
        _ builder: inout BoxBuilder, timescale: UInt32 = 90_000,
        tables: (inout BoxBuilder) -> Void
    ) {
        builder.box("trak") { builder in
            builder.append(TrackHeaderBox(trackID: 1, duration: 0))
            builder.box("mdia") { builder in
                builder.append(
                    MediaHeaderBox(creationTime: 0, timescale: timescale, duration: 0, language: 0))
                builder.append(HandlerBox(handler: "vide", name: ""))
                builder.box("minf") { builder in
                    builder.box("stbl") { builder in
                        let format = CodedTake.synthetic(seconds: 0).tracks[0].format
                        builder.raw((try? SampleEntry.description(of: format, in: .mp4)) ?? [])
                        tables(&builder)
                    }
                }
            }
        }
    }

    private let header = MovieHeaderBox(
        creationTime: 0, timescale: 90_000, duration: 0, nextTrackID: 2)

    @Test("a zero timescale is refused, with the box and the byte")
    func zeroTimescale() {
        let content = movie { builder in
            builder.append(header)
            track(&builder, timescale: 0) { _ in }
        }
        #expect {
            try load(content)
        } throws: { error in
            guard let message = (error as? MediaError)?.message else { return false }
            return message.contains("timescale is 0") && message.contains("moov/trak/mdia/mdhd")
                && message.contains("at byte ")
        }
    }

    @Test("a table of four thousand million equal samples is refused, not allocated")
    func hugeTable() {
        for size: UInt32 in [0, 1, 1000] {
            let content = movie { builder in
                builder.append(header)
                track(&builder) { builder in
                    var durations = PackedTable(columns: 2)
                    durations.append(.max, 1000)
                    builder.append(TimeToSampleBox(table: durations))
                    var chunks = PackedTable(columns: 3)
                    chunks.append(1, .max, 1)
                    builder.append(SampleToChunkBox(table: chunks))
                    builder.append(
                        SampleSizeBox(
                            constantSize: size, count: .max, table: PackedTable(columns: 1)))
                    builder.append(ChunkOffsetBox(offsets: [0]))
                }
            }
            #expect(throws: MediaError.self) { try load(content) }
        }
    }

    @Test("boxes nested a thousand deep are refused")
    func deepNesting() {
        let content = movie { builder in
            builder.append(header)
            builder.box("udta") { builder in
                builder.box("meta") { builder in
                    builder.full(0, 0)
                    builder.append(HandlerBox(handler: "mdir", name: ""))
                    builder.box("ilst") { nest(&$0, 1000) }
                }
            }
        }
        // deep boxes that nobody looks into cost nothing; a walk into them stops
        #expect((try? load(content)) != nil)
        var reader = BoxReader(type: "root", bytes: content, at: 0, file: "x")
        func descend(_ reader: inout BoxReader) throws(MediaError) {
            while var child = try reader.child() { try descend(&child) }
        }
        var builder = BoxBuilder()
        nest(&builder, 1000)
        reader = BoxReader(type: "root", bytes: builder.bytes, at: 0, file: "x")
        #expect(throws: MediaError.self) { try descend(&reader) }
    }

    private func nest(_ builder: inout BoxBuilder, _ depth: Int) {
        guard depth > 0 else { return }
        builder.box("udta") { nest(&$0, depth - 1) }
    }

    @Test("text, an empty file, a folder and a FIFO are no movies")
    func noMovies() throws {
        let folder = try TemporaryFolder()
        #expect(throws: MediaError.self) { try load([]) }
        #expect(throws: MediaError.self) { try load(Array("#EXTM3U\nhttp://example/a\n".utf8)) }
        #expect(throws: MediaError.self) { try MovieFile(path: folder.path) }
        let fifo = folder.file("f.mp4")
        _ = try Program(path: "/usr/bin/mkfifo").run([fifo])
        #expect(throws: MediaError.self) { try MovieFile(path: fifo) }
        #expect { try MovieFile(path: folder.file("none.mp4")) } throws: {
            ($0 as? MediaError)?.code == .noSuchFile
        }
    }
}
