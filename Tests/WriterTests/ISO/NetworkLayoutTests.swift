import Foundation
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("The index in front of the samples")
struct NetworkLayoutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie of one track with two chunks of four bytes in a sparse file.
    private func movie(chunkAt far: Int64) throws -> String {
        let path = folder.file("a.mp4")
        var builder = BoxBuilder()
        builder.box("ftyp") { $0.code("isom") }
        let header = Int64(builder.bytes.count)
        builder.u32(1)
        builder.code("mdat")
        builder.i64(far + 4 - header)
        builder.raw(Array("left".utf8))
        let near = UInt64(header) + 16
        var index = BoxBuilder()
        index.box("moov") { builder in
            builder.box("mvhd") { $0.zeros(100) }
            builder.box("trak") { builder in
                builder.box("mdia") { builder in
                    builder.box("minf") { builder in
                        builder.box("stbl") { builder in
                            builder.box("stsd") { $0.zeros(8) }
                            ChunkOffsetBox(offsets: [near, UInt64(far)])
                                .writeShortest(to: &builder)
                        }
                    }
                }
            }
        }
        let io = try SystemFileIO(creating: path, existing: .refuse)
        defer { io.close() }
        try io.writeAll(builder.bytes, at: 0)
        try io.writeAll(Array("far!".utf8), at: far)
        try io.writeAll(index.bytes, at: far + 4)
        return path
    }

    /// What the chunk offsets of a file point at.
    private func chunks(_ path: String) throws -> (kind: FourCC, texts: [String]) {
        let io = try SystemFileIO(opening: path, writable: false)
        defer { io.close() }
        let scanner = try BoxScanner(io, file: path, limits: MovieLimits())
        #expect(scanner.entries.map(\.type) == ["ftyp", "moov", "mdat"])
        var box = try scanner.body(of: scanner.entries[1], limit: 1 << 20)
        for type in ["trak", "mdia", "minf", "stbl"] as [FourCC] {
            while let child = try box.child() {
                if child.type == type {
                    box = child
                    break
                }
            }
        }
        while var child = try box.child() {
            guard child.type == "stco" || child.type == "co64" else { continue }
            let kind = child.type
            let offsets = try ChunkOffsetBox(from: &child).offsets
            return (
                kind,
                try offsets.map {
                    String(decoding: try io.readAll(4, at: Int64($0)), as: UTF8.self)
                }
            )
        }
        return ("none", [])
    }

    @Test("offsets point at the same samples")
    func offsets() throws {
        let path = try movie(chunkAt: 1000)
        let size = try NetworkLayout.copy(path, to: folder.file("b.mp4")).size
        let (kind, texts) = try chunks(folder.file("b.mp4"))
        #expect(texts == ["left", "far!"] && kind == "stco")
        let written = try FileManager.default.attributesOfItem(atPath: folder.file("b.mp4"))
        #expect(written[.size] as? Int64 == size)
    }

    @Test("offsets become 64 bits long where the index pushes samples over 4 GiB")
    func longOffsets() throws {
        var old = BoxBuilder()
        let last = UInt64(UInt32.max) - 8
        old.box("trak") {
            $0.box("mdia") {
                $0.box("minf") {
                    $0.box("stbl") { builder in
                        ChunkOffsetBox(offsets: [28, last]).writeShortest(to: &builder)
                    }
                }
            }
        }
        let body = BoxReader(type: "moov", bytes: old.bytes, at: 0, file: "a.mp4")
        let samples = BoxScanner.Entry(
            type: "mdat", offset: 12, headerSize: 16, size: Int64(UInt32.max) - 12)
        let moved = try MovedIndex(body, [samples], from: 12)
        // as long as before, and four bytes for each offset
        #expect(moved.bytes.count == 8 + old.bytes.count + 8)
        var reader = BoxReader(
            type: "stbl", bytes: Array(moved.bytes.suffix(8 + 8 + 16)), at: 0, file: "a.mp4")
        var box = try #require(try reader.child())
        #expect(box.type == "co64")
        let shift = UInt64(moved.bytes.count)
        #expect(try ChunkOffsetBox(from: &box).offsets == [28 + shift, last + shift])
    }

    @Test("a movie that grows is refused and nothing stays")
    func growing() throws {
        let path = folder.file("a.mp4")
        var builder = BoxBuilder()
        builder.box("ftyp") { $0.code("isom") }
        builder.box("moov") { $0.zeros(8) }
        builder.box("moof") { $0.zeros(8) }
        try Data(builder.bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) {
            try NetworkLayout.copy(path, to: folder.file("b.mp4"))
        }
        #expect(folder.contents == ["a.mp4"])
    }
}
