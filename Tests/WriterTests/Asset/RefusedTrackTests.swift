import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

/// Tracks that cannot be read are reported as such, and the others are read.
@Suite("Tracks that cannot be read")
struct RefusedTrackTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("a.mp4")
        let file = try DurableFile(
            creating: path, existing: .replace, policy: .never,
            gapHeader: MovieFileWriter.gapHeader)
        _ = try CodedTake.real.get().write(to: file)
    }

    /// Changes bytes behind the n-th place where others are.
    private func change(_ old: [UInt8], _ new: [UInt8], number: Int = 0) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let moov = try #require(
            bytes.indices.last { bytes[$0...].prefix(4).elementsEqual(Array("moov".utf8)) })
        let places = bytes.indices.filter { place in
            place >= moov && bytes[place...].prefix(old.count).elementsEqual(old)
        }
        let at = try #require(places.dropFirst(number).first)
        bytes.replaceSubrange(at..<(at + new.count), with: new)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("encrypted audio is reported as encrypted and not copied as if it were clear")
    func encrypted() throws {
        try change(Array("mp4a".utf8), Array("enca".utf8))
        let asset = try Asset.load(path)
        let sound = try asset.first(.audio)
        #expect(sound.format == nil)
        #expect(sound.obstacle == "it is encrypted (\"enca\")")
        #expect(throws: MediaError.self) { try asset.open(sound) }
        #expect(try asset.first(.video).format != nil)
    }

    @Test("samples that lie in another file are not looked for in this one")
    func elsewhere() throws {
        let here: [UInt8] = Array("url ".utf8) + [0, 0, 0, 1]
        try change(here, Array("url ".utf8) + [0, 0, 0, 0])
        let asset = try Asset.load(path)
        let frames = try asset.first(.video)
        #expect(frames.format == nil)
        #expect(frames.obstacle == "its data lies in another file")
        let error = #expect(throws: MediaError.self) { try asset.open(frames) }
        #expect(error?.message.contains("its data lies in another file") == true)
        #expect(try asset.first(.audio).format != nil)
    }

    @Test("one damaged track does not keep the others from being read")
    func damaged() throws {
        // more chunks than there are bytes
        try change(Array("stco".utf8), Array("stco".utf8) + [0, 0, 0, 0, 0x7F, 0, 0, 0], number: 1)
        let asset = try Asset.load(path)
        #expect(asset.tracks.count == 2)
        #expect(try asset.first(.video).sampleCount == 60)
        let sound = try asset.first(.audio)
        #expect(sound.obstacle?.hasPrefix("it is damaged: ") == true)
        #expect(sound.sampleCount == 0)
        // what is to be mended is read as a whole or not at all
        #expect(throws: MediaError.self) { try MovieFile(path: path) }
    }

    @Test("a movie of which no track is whole is refused with the first reason")
    func allDamaged() throws {
        for number in [0, 1] {
            try change(
                Array("stco".utf8), Array("stco".utf8) + [0, 0, 0, 0, 0x7F, 0, 0, 0],
                number: number)
        }
        let error = #expect(throws: MediaError.self) { try Asset.load(path) }
        #expect(error?.code == .damagedFile)
    }
}
