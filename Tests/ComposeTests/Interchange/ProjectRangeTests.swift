import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("The part of a project that is exported")
struct ProjectRangeTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("film.vcap.json5")
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private var text: String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private func film(_ edits: (inout Timeline) -> Void) throws -> Film {
        var timeline = Timeline(titles: [TitleItem("Ten seconds", duration: .seconds(10))])
        edits(&timeline)
        return try TimelineBuilder(timeline, assets: []).film()
    }

    @Test("a film between in and out is planned as such; a range that is asked for comes first")
    func plan() throws {
        let whole = try film { _ in }
        #expect(whole.range == nil)
        let part = try film { ($0.inPoint, $0.outPoint) = (.milliseconds(2500), .seconds(4)) }
        #expect(
            part.range == MediaTimeRange(start: .milliseconds(2500), duration: .milliseconds(1500)))
        func planned(_ range: MediaTimeRange?) throws -> MediaTimeRange {
            var settings = ExportSettings(preset: .highest)
            settings.range = range
            return try ExportSession(part, settings: settings).plan()
                .range
        }
        #expect(try planned(nil) == part.range)
        let other = MediaTimeRange(start: .zero, duration: .seconds(10))
        #expect(try planned(other) == other)
        // each alone, and an out point behind the end
        #expect(try film { $0.inPoint = .seconds(8) }.range?.end == .seconds(10))
        #expect(
            try film { ($0.inPoint, $0.outPoint) = (.seconds(1), .seconds(99)) }.range?.end
                == .seconds(10))
        #expect(try film { $0.outPoint = .seconds(99) }.range == nil)
    }

    @Test("what can be no part is refused")
    func refused() throws {
        for (start, end): (MediaTime?, MediaTime?) in [
            (.seconds(4), .seconds(4)), (.seconds(5), .seconds(4)), (nil, .zero),
            (.seconds(10), nil),
        ] {
            let failure = #expect(throws: MediaError.self) {
                try film { ($0.inPoint, $0.outPoint) = (start, end) }
            }
            #expect(failure?.code == .invalidSetting)
        }
    }

    @Test(
        "it is written into the project's own text, exactly, with the file's rights, and only there"
    )
    func saved() throws {
        try write("{\n  // mine\n  videos: [\"a.mp4\"], // the only one\n}\n")
        chmod(path, 0o660)
        try ProjectFile.setRange(of: path, from: MediaTime(value: 1001, timescale: 30_000), to: nil)
        #expect(
            text
                == "{\n  // mine\n  videos: [\"a.mp4\"], // the only one\n  in: \"1001/30000\",\n}\n"
        )
        try ProjectFile.setRange(of: path, from: .zero, to: .milliseconds(3500))
        #expect(
            text
                == "{\n  // mine\n  videos: [\"a.mp4\"], // the only one\n  in: 0,\n  out: 3.5,\n}\n"
        )
        var state = stat()
        #expect(stat(path, &state) == 0 && state.st_mode & 0o777 == 0o660)
        #expect(folder.contents == ["film.vcap.json5"])
    }

    @Test("a project that could not be read afterwards, or cannot be now, stays as it is")
    func kept() throws {
        for wrong in ["{ videos: [\"a.mp4\"], in: 9 }", "{ videos: [", "[]"] {
            try write(wrong)
            let failure = #expect(throws: MediaError.self) {
                try ProjectFile.setRange(of: path, from: nil, to: .seconds(3))
            }
            #expect(failure?.code == .invalidProject)
            #expect(text == wrong)
        }
        try write("{ videos: [\"a.mp4\"] }")
        let link = folder.file("link.json5")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: MediaError.self) {
            try ProjectFile.setRange(of: link, from: .zero, to: nil)
        }
        #expect(text == "{ videos: [\"a.mp4\"] }")
        try FileManager.default.removeItem(atPath: path)
        let failure = #expect(throws: MediaError.self) {
            try ProjectFile.setRange(of: path, from: .zero, to: nil)
        }
        #expect(failure?.code == .noSuchFile)
        #expect(folder.contents == ["link.json5"])
    }
}
