import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import vcap

private let zint = Program.tool("zint")
private let ffmpeg = Program.tool("ffmpeg")

/// A slate as a report has it.
private struct ReportedSlate: Decodable {
    struct Seen: Decodable {
        var camera: String
        var title: String?
        var marker: String?
        var action: String?
        var isAllowed: Bool?
    }
    var movieTime: Double
    var slate: Seen
}

private struct SlateReport: Decodable {
    struct Marker: Decodable {
        var movieTime: Double
        var text: String
    }
    struct Pause: Decodable { var movieTime: Double }
    var markers: [Marker]
    var slates: [ReportedSlate]?
    var pauses: [Pause]
    var verdict: String?
}

@Suite(
    "vcap record --slate",
    .enabled(if: zint != nil && ffmpeg != nil, "zint and ffmpeg are not installed"),
    .tags(.realTime))
struct SlateRecordTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie for a camera that shows codes.
    /// - Parameter shown: texts, and when they are in view (s).
    private func clip(
        _ name: String, seconds: Double, _ shown: [(text: String, from: Double, to: Double)]
    ) throws {
        var inputs: [String] = []
        var filter = "[0]null[v0]"
        for (index, code) in shown.enumerated() {
            let picture = "\(name)-\(index).png"
            let made = try #require(zint).run(
                ["--barcode=58", "--data=\(code.text)", "--scale=2", "-o", picture],
                in: folder.path)
            #expect(made.status == 0, "\(made.errorText)")
            inputs += ["-i", picture]
            filter +=
                ";[v\(index)][\(index + 1)]overlay=40:40:enable='gte(t,\(code.from))*lt(t,\(code.to))'"
                + "[v\(index + 1)]"
        }
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=gray:320x240:rate=30:duration=\(seconds)",
            ] + inputs + [
                "-filter_complex", filter, "-map", "[v\(shown.count)]", "-pix_fmt", "yuv420p", "-g",
                "15", name,
            ], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func record(
        _ words: [String], camera: String = "c.mp4", seconds: Double, to name: String = "take.mp4"
    ) throws -> Program.Result {
        let result = try Program.vcap.run(
            [
                "record", "-c", "file:\(camera)", "-a", "none", "-t", "\(seconds)", "--slate",
                "--pressure", "off", "-o", name,
            ] + words, in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        return result
    }

    private func report(_ name: String = "take") throws -> SlateReport {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("\(name).vcap.json")))
        return try JSONDecoder().decode(SlateReport.self, from: data)
    }

    private func metadata(_ name: String = "take.mp4") throws -> JSONValue {
        let result = try Program.vcap.run(["probe", name, "--json"], in: folder.path)
        let json = try JSONParser.parse(result.output, as: .json)
        return try #require(json["metadata"])
    }

    /// What ffprobe says of a movie: tags of other programs' players, and chapters.
    private func foreign(_ name: String) throws -> String {
        try #require(Program.tool("ffprobe")).run(
            ["-v", "error", "-show_format", "-show_chapters", name], in: folder.path
        ).outputText
    }

    @Test("what a slate named is kept by every container that the movie is converted into")
    func converted() throws {
        try clip(
            "c.mp4", seconds: 3, [("vcap-slate:1?title=Tea%C2%A0x&scene=9&take=1", 0.3, 3)])
        _ = try record([], seconds: 2)
        func convert(_ source: String, _ target: String) throws {
            let result = try Program.vcap.run(["convert", source, "-o", target], in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            let metadata = try metadata(target)
            for (key, value) in [("title", "Tea\u{A0}x"), ("scene", "9"), ("take", "1")] {
                #expect(metadata[key]?.text == value, "\(target): \(metadata.compact)")
            }
            let began = try self.metadata()["creation_time_ns"]?.number ?? 0
            let kept = metadata["creation_time_ns"]?.number ?? 0
            #expect(began > 0 && abs(kept - began) < 1e9, "\(target): \(kept) of \(began)")
            #expect(metadata["devices"]?.elements?.first?.text?.isEmpty == false, "\(target)")
        }
        try convert("take.mp4", "a.mkv")
        try convert("a.mkv", "b.ts")
        try convert("b.ts", "c.ts")
        try convert("c.ts", "d.mkv")
        try convert("d.mkv", "e.mov")
    }

    @Test(
        "title, scene and take are the movie's, and one marker a showing lies at the frame that shows it",
        arguments: ["mp4", "mov"])
    func tags(_ ending: String) throws {
        try clip(
            "c.mp4", seconds: 7,
            [
                ("vcap-slate:1?title=Coffee&scene=2&take=3", 0.5, 2),
                ("vcap-slate:1?title=Coffee&scene=2&take=3", 5, 6),
                ("vcap-slate:1?take=4", 2.2, 2.9),
            ])
        let name = "take.\(ending)"
        let result = try record(["--detect-rate", "15"], seconds: 6.5, to: name)
        #expect(
            result.errorText.contains("slate \"Coffee, scene 2, take 3\" at 00:00:00."),
            "\(result.errorText)")
        #expect(result.errorText.contains("3 slates"))
        // the last word of each key counts
        let metadata = try metadata(name)
        #expect(metadata["title"]?.text == "Coffee", "\(metadata.compact)")
        #expect(metadata["take"]?.text == "3", "\(metadata.compact)")
        let ffprobe = try foreign(name)
        #expect(
            ffprobe.contains("TAG:title=Coffee") && ffprobe.contains("TAG:org.vcap.take=3"),
            "\(ffprobe)")
        #expect(ffprobe.components(separatedBy: "[CHAPTER]").count >= 4)
        let report = try report()
        let texts = ["Coffee, scene 2, take 3", "take 4", "Coffee, scene 2, take 3"]
        #expect(report.markers.map(\.text) == texts)
        #expect(report.slates?.map(\.slate.marker) == texts)
        // by the frames of the movie itself
        let lines = try Program.vcap.run(["detect", name, "--json"], in: folder.path).outputText
        var frames: [String: [Double]] = [:]
        for line in lines.split(separator: "\n") {
            let json = try JSONParser.parse(Array(line.utf8), as: .json)
            let text = json["codes"]?.elements?.first?["text"]?.text ?? ""
            frames[text, default: []].append(json["seconds"]?.number ?? -1)
        }
        let first = try #require(frames["vcap-slate:1?title=Coffee&scene=2&take=3"])
        let second = try #require(frames["vcap-slate:1?take=4"])
        let again = try #require(first.first { $0 > 3 })
        for (marker, shown) in zip(report.markers, [first[0], second[0], again]) {
            #expect((first + second).contains { abs($0 - marker.movieTime) < 0.0001 })
            #expect((0...0.3).contains(marker.movieTime - shown + 0.0001), "\(marker) \(shown)")
        }
        #expect(report.verdict == "good")
    }

    @Test("what is held all the time from before the beginning is one slate at the beginning")
    func held() throws {
        try clip("c.mp4", seconds: 5, [("vcap-slate:1?title=A&marker=Go", 0, 5)])
        _ = try record([], seconds: 4)
        let report = try report()
        #expect(report.markers.map(\.text) == ["Go"])
        #expect(report.markers.allSatisfy { $0.movieTime < 0.3 })
    }

    @Test("a title that was typed stays, and the slate's is in the report")
    func typedTitle() throws {
        try clip("c.mp4", seconds: 3, [("vcap-slate:1?title=Coffee&take=3", 0.3, 2)])
        _ = try record(["--title", "Mine"], seconds: 2.5)
        let metadata = try metadata()
        #expect(metadata["title"]?.text == "Mine")
        #expect(metadata["take"]?.text == "3")
        #expect(try report().slates?.first?.slate.title == "Coffee")
    }

    @Test(
        "an action is refused and said, until it is allowed by its own name",
        arguments: [
            ([], false), (["--slate-allow", "pause,photo"], false),
            (["--slate-allow", "stop"], true),
        ])
    func actions(_ words: [String], _ isAllowed: Bool) throws {
        try clip("c.mp4", seconds: 4, [("vcap-slate:1?do=stop&take=9", 0.5, 1.5)])
        let result = try record(words, seconds: 3)
        let length = try Double(
            #require(Program.tool("ffprobe")).run(
                ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "take.mp4"],
                in: folder.path
            ).outputText.filter { !$0.isWhitespace })
        #expect(isAllowed == ((length ?? 3) < 2.5), "\(String(describing: length))")
        #expect(result.errorText.contains("a slate asks for stop: refused") != isAllowed)
        let slate = try #require(try report().slates?.first?.slate)
        #expect(slate.action == "stop" && slate.isAllowed == isAllowed)
        #expect(try report().markers.map(\.text) == ["take 9"])
    }

    @Test("codes of others do nothing, and a slate that cannot be read is said once a showing")
    func others() throws {
        try clip(
            "c.mp4", seconds: 5,
            [
                ("https://example.org/?do=stop", 0.2, 1), ("vcap-slate:9?title=X", 1, 2),
                ("vcap-slate:1?title=A&title=B&do=stop", 2, 3), ("vcap-slate:1?do=reboot", 3, 4),
            ])
        let result = try record(["--slate-allow", "stop"], seconds: 4.5)
        #expect(result.errorText.components(separatedBy: "slate that is not followed").count == 3)
        #expect(result.errorText.contains("version 9") && result.errorText.contains("given twice"))
        #expect(result.errorText.contains("asks for reboot, which no slate can ask for"))
        let report = try report()
        #expect(report.slates?.map(\.slate.action) == ["reboot"] && report.markers.isEmpty)
        #expect(try metadata()["title"] == nil)
    }

    @Test("of a slate that is shown in a pause the marker lies where the movie was cut")
    func paused() throws {
        try clip("c.mp4", seconds: 8, [("vcap-slate:1?title=Next", 3, 4)])
        let running = try Program.vcap.start(
            [
                "record", "-c", "file:c.mp4", "-a", "none", "-t", "3", "--slate", "--pressure",
                "off", "-o", folder.file("take.mp4"),
            ], in: folder.path)
        try #require(waitUntil { running.errorTextSoFar.contains("recording") })
        Thread.sleep(forTimeInterval: 1)
        running.signal(SIGUSR1)
        try #require(waitUntil { running.errorTextSoFar.contains("slate \"Next\"") })
        Thread.sleep(forTimeInterval: 0.3)
        running.signal(SIGUSR1)
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        let report = try report()
        let pause = try #require(report.pauses.first)
        #expect(report.markers.map(\.movieTime) == [pause.movieTime])
        #expect(report.slates?.map(\.movieTime) == [pause.movieTime])
        #expect(try metadata()["title"]?.text == "Next")
    }

    @Test("two cameras that see one slate set one marker; codes of another kind share the detector")
    func twoCameras() throws {
        try clip("c.mp4", seconds: 4, [("vcap-slate:1?take=1", 0.5, 2.5)])
        try clip("d.mp4", seconds: 4, [("vcap-slate:1?take=1", 1, 3)])
        _ = try record(["-c", "file:d.mp4", "--detect", "ean13"], seconds: 3.5)
        let report = try report()
        #expect(report.markers.count == 1 && report.slates?.count == 1)
        let probe = try Program.vcap.run(["probe", "take.mp4"], in: folder.path).outputText
        #expect(probe.components(separatedBy: "mett").count == 3, "\(probe)")
    }

    @Test(
        "containers without metadata tracks have the markers, and vcap reads their title",
        arguments: ["mkv", "ts"])
    func otherContainers(_ ending: String) throws {
        try clip("c.mp4", seconds: 4, [("vcap-slate:1?title=Coffee&scene=2", 0.5, 1.5)])
        let name = "take.\(ending)"
        _ = try record([], seconds: 3, to: name)
        let metadata = try metadata(name)
        #expect(metadata["title"]?.text == "Coffee", "\(metadata.compact)")
        #expect(metadata["scene"]?.text == "2")
        #expect(try report().markers.map(\.text) == ["Coffee, scene 2"])
        let converted = try Program.vcap.run(["convert", name, "-o", "x.mp4"], in: folder.path)
        #expect(converted.status == 0, "\(converted.errorText)")
        #expect(try foreign("x.mp4").contains("TAG:title=Coffee"))
    }

    @Test("a take that is killed keeps what a slate said", arguments: ["mp4", "mov", "mkv", "ts"])
    func killed(_ ending: String) throws {
        try clip("c.mp4", seconds: 6, [("vcap-slate:1?title=Coffee&take=3", 0.3, 1.5)])
        let name = "take.\(ending)"
        let running = try Program.vcap.start(
            [
                "record", "-c", "file:c.mp4", "-a", "none", "--slate", "--pressure", "off", "-o",
                folder.file(name),
            ], in: folder.path)
        try #require(waitUntil { running.errorTextSoFar.contains("marker \"Coffee") })
        Thread.sleep(forTimeInterval: 1)
        running.end()
        let repair = try Program.vcap.run(["repair", name], in: folder.path)
        #expect(repair.status == 0, "\(repair.errorText)")
        let metadata = try metadata(name)
        #expect(metadata["title"]?.text == "Coffee", "\(metadata.compact)")
        #expect(metadata["take"]?.text == "3")
        if ["mp4", "mov"].contains(ending) {
            #expect(try foreign(name).contains("TAG:title=Coffee"))
        }
        #expect(try report().slates?.count == 1)
    }

    @Test("status and progress have the latest slate")
    func progress() throws {
        try clip("c.mp4", seconds: 3, [("vcap-slate:1?title=Coffee", 0.3, 1.5)])
        _ = try record(
            ["--progress", "p.json", "--progress-format", "ndjson"], seconds: 2.5)
        let lines = try String(contentsOfFile: folder.file("p.json"), encoding: .utf8)
            .split(separator: "\n")
        let last = try JSONParser.parse(Array(try #require(lines.last).utf8), as: .json)
        #expect(last["slates"]?.wholeNumber == 1)
        #expect(last["last_slate"]?["text"]?.text == "Coffee")
        #expect(last["last_slate"]?["camera"]?.text == "c.mp4")
    }

    @Test(
        "options that have nothing to act on are refused or said",
        arguments: [
            (["-c", "none", "-a", "test:", "--slate"], "--slate has no frames to look at", 64),
            (["-c", "test:", "--slate", "--slate-allow", "reboot"], "--slate-allow takes", 64),
            (
                ["-c", "test:", "-a", "none", "-t", "200ms", "--slate-allow", "stop"],
                "--slate-allow does nothing", 0
            ),
        ])
    func refused(_ words: [String], _ sentence: String, _ status: Int32) throws {
        let result = try Program.vcap.run(
            ["record", "-o", "take.mp4"] + words, in: folder.path)
        #expect(result.status == status)
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
    }
}
