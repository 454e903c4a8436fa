import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Films for the network", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct NetworkReadyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func film(_ clip: Asset) throws -> Film {
        var composition = Composition()
        try composition.insert(clip, at: .zero)
        return Film(
            composition: composition,
            videoComposition: try VideoComposition(propertiesOf: composition, assets: [clip]),
            assets: [clip], chapters: [Chapter("Middle", at: .seconds(1))])
    }

    private func settings(_ isNetworkReady: Bool) -> ExportSettings {
        var settings = ExportSettings()
        settings.isNetworkReady = isNetworkReady
        return settings
    }

    /// The boxes at the top of a file.
    private func boxes(_ path: String) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        var names: [String] = []
        var at = 0
        while at + 16 <= data.count {
            func number(_ place: Int, _ count: Int) -> Int {
                data[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
            }
            let size = number(at, 4) == 1 ? number(at + 8, 8) : number(at, 4)
            names.append(String(decoding: data[(at + 4)..<(at + 8)], as: UTF8.self))
            at += max(8, size)
        }
        return names
    }

    @Test(
        "the index comes first, and every frame, audio and chapter is found by it",
        arguments: ["mp4", "mov"])
    func front(_ ending: String) async throws {
        let clip = try await NumberedClip(frames: 60).write(to: folder.file("a.mp4"))
        let (path, plain) = (folder.file("film.\(ending)"), folder.file("plain.\(ending)"))
        let report = try await ExportSession(try film(clip), settings: settings(true))
            .export(to: path)
        _ = try await ExportSession(try film(clip), settings: settings(false)).export(to: plain)
        #expect(try boxes(path) == ["ftyp", "moov", "mdat"])
        #expect(try boxes(plain) == ["ftyp", "mdat", "moov"])
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(size == Int(report.bytes))
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
        #expect(try MovieOracle(path).sound() == MovieOracle(plain).sound())
        let asset = try Asset.load(path)
        #expect(asset.markers.map(\.text) == ["Middle"])
        #expect(asset.state == .ordinary && asset.damagedBytes == 0)
        #expect(folder.contents.allSatisfy { !$0.hasPrefix(".") })
    }

    @Test("what a kill leaves while the index is moved is resumed, and nothing of it stays")
    func killed() async throws {
        let clip = try await NumberedClip(frames: 90).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        _ = try await ExportSession(try film(clip), settings: settings(true)).export(to: path)
        // what is on the disk then: the whole film under its temporary name, half of the copy
        try FileManager.default.moveItem(atPath: path, toPath: folder.file(".film.vcap-part.mp4"))
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file(".film.vcap-front.mp4")))
        let report = try await ExportSession(try film(clip), settings: settings(true))
            .export(to: path)
        #expect(report.resumedFrames == 60)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<90))
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("the copy cannot be made: no film under the name, the whole one is kept for the next run")
    func cannotCopy() async throws {
        let clip = try await NumberedClip(frames: 90).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        // a folder where the copy would be
        try FileManager.default.createDirectory(
            atPath: folder.file(".film.vcap-front.mp4"), withIntermediateDirectories: false)
        await #expect(throws: MediaError.self) {
            try await ExportSession(try film(clip), settings: settings(true)).export(to: path)
        }
        #expect(folder.contents == [".film.vcap-front.mp4", ".film.vcap-part.mp4", "a.mp4"])
        try FileManager.default.removeItem(atPath: folder.file(".film.vcap-front.mp4"))
        let report = try await ExportSession(try film(clip), settings: settings(true))
            .export(to: path)
        #expect(report.resumedFrames == 60)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<90))
    }

    @Test("a container without an index is refused before anything is written")
    func otherContainer() async throws {
        let clip = try await NumberedClip(frames: 10).write(to: folder.file("a.mp4"))
        await #expect {
            try await ExportSession(try film(clip), settings: settings(true))
                .export(to: folder.file("film.mkv"))
        } throws: {
            ($0 as? MediaError)?.code == .invalidSetting
        }
        #expect(folder.contents == ["a.mp4"])
    }
}
