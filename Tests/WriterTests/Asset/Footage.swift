import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

/// Movies of another program whose every video and audio frame is known: frames carry their
/// number in a strip, audio is a function of the frame.
struct Footage {
    static let width = 96
    static let height = 48
    static let audioRate = 48_000

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Frames 0 ..< count.
    func pictures(_ count: Int) throws -> String {
        let path = folder.file("pictures-\(count).yuv")
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * Self.width * Self.height * 3 / 2)
        for number in 0..<count {
            for row in 0..<Self.height {
                for column in 0..<Self.width {
                    let bit = number >> (23 - column * 24 / Self.width) & 1
                    let strip: UInt8 = bit == 1 ? 235 : 16
                    bytes.append(row < Self.height / 12 ? strip : UInt8(60 + number % 90))
                }
            }
            bytes.append(contentsOf: repeatElement(128, count: Self.width * Self.height / 2))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The level of a frame of the test audio: tones that share no period, so that no two places
    /// are alike.
    static func level(_ frame: Int, rate: Int = audioRate) -> Float {
        let time = Double(frame) / Double(rate)
        return 0.25 * Sine.value(cycles: 311.13 * time) + 0.25 * Sine.value(cycles: 700.37 * time)
            + 0.2 * Sine.value(cycles: 40 * time + 90 * time * time)
    }

    /// The test audio as raw 16-bit mono.
    func sound(frames: Int, rate: Int = audioRate) throws -> String {
        let path = folder.file("sound-\(frames)-\(rate).s16")
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let values = (0..<frames).map { Int16((Self.level($0, rate: rate) * 32_768).rounded()) }
        try values.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
        return path
    }

    /// A movie of numbered pictures.
    func movie(
        _ name: String, count: Int = 90, rate: String = "30", _ arguments: [String]
    ) throws -> Asset {
        try encode(
            name,
            [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(Self.width)x\(Self.height)",
                "-r", rate, "-i", try pictures(count),
            ] + arguments)
    }

    /// A file of the test audio.
    func recording(
        _ name: String, frames: Int = 4 * audioRate, rate: Int = audioRate, _ arguments: [String]
    ) throws -> Asset {
        try encode(
            name,
            [
                "-f", "s16le", "-ar", "\(rate)", "-ac", "1", "-i",
                try sound(frames: frames, rate: rate),
            ] + arguments)
    }

    func encode(_ name: String, _ arguments: [String]) throws -> Asset {
        let path = folder.file(name)
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-y"] + arguments + [path])
        #expect(result.status == 0, "\(result.errorText)")
        return try Asset.load(path)
    }

    /// Gives a track of an MP4 another edit list; the movie must end with its `moov`.
    func edit(
        _ asset: Asset, track: Int, _ entries: [EditListBox.Entry]
    ) throws -> Asset {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: asset.path)))
        let list = EditListBox(entries: entries)
        func number(_ place: Int) -> Int {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        func name(_ place: Int) -> String {
            String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
        }
        func children(_ range: Range<Int>) -> [(name: String, range: Range<Int>)] {
            var found: [(String, Range<Int>)] = []
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                found.append((name(place), place..<place + number(place)))
                place += number(place)
            }
            return found
        }
        func body(_ box: Range<Int>) -> Range<Int> { box.lowerBound + 8..<box.upperBound }
        let roots = children(0..<bytes.count)
        let movie = try #require(roots.last)
        #expect(movie.name == "moov")
        var builder = BoxBuilder()
        var index = 0
        builder.box("moov") { builder in
            for child in children(body(movie.range)) {
                guard child.name == "trak" else {
                    builder.raw(Array(bytes[child.range]))
                    continue
                }
                defer { index += 1 }
                guard index == track else {
                    builder.raw(Array(bytes[child.range]))
                    continue
                }
                builder.box("trak") { builder in
                    for part in children(body(child.range)) where part.name != "edts" {
                        builder.raw(Array(bytes[part.range]))
                        guard part.name == "tkhd" else { continue }
                        builder.box("edts") { $0.append(list) }
                    }
                }
            }
        }
        bytes.replaceSubrange(movie.range, with: builder.bytes)
        let path = folder.file("edited-\(UUID().uuidString.prefix(6)).mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try Asset.load(path)
    }
}

extension Asset {
    func first(_ type: MediaType) throws -> AssetTrack {
        try #require(tracks.first { $0.mediaType == type })
    }

    /// Descriptors of this process that are this file.
    var openDescriptors: Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }.count
    }
}

extension BlockBuffer {
    var floats: [Float] { withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
}
