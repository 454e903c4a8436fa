import Foundation
import TestSupport
import Testing

@testable import vcap

/// Interlaced clips of codecs whose frames do not say so: what the container states counts, and only then.
@Suite(
    "Clips whose container states that they are interlaced", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ContainerFieldsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    @discardableResult
    private func tool(_ name: String, _ words: [String]) throws -> String {
        let tool = try #require(Program.tool(name))
        let result = try tool.run(["-v", "error"] + words, in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
        return result.outputText
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
        return result.outputText
    }

    /// 12 frames of two fields each, of which the encoder does not know.
    private func make(
        _ name: String, _ coding: [String], order: String?, isTopFirst: Bool = true
    ) throws {
        let mode = isTopFirst ? "interleave_top" : "interleave_bottom"
        try tool(
            "ffmpeg",
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=50:d=0.48", "-vf",
                "format=yuv420p,tinterlace=\(mode),setfield=prog", "-pix_fmt", "yuv420p",
                "-color_primaries", "5", "-color_trc", "6", "-colorspace", "5", "-color_range",
                coding.contains("mjpeg") ? "pc" : "tv",
            ] + ["-c:v"] + coding + (order.map { ["-field_order", $0] } ?? []) + [name])
    }

    /// Of each frame, its samples' sum.
    private func sums(_ name: String, _ filter: String = "null") throws -> [String] {
        try tool("ffmpeg", ["-i", name, "-map", "0:v", "-vf", filter, "-f", "framemd5", "-"])
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    @Test(
        "conversions and films have the frames of bwdif in the order that the container states",
        arguments: [
            ("mjpeg.mov", ["mjpeg", "-q:v", "2"]), ("mjpeg.mkv", ["mjpeg", "-q:v", "2"]),
            ("mjpeg.mp4", ["mjpeg", "-q:v", "2"]), ("ffv1.mkv", ["ffv1"]),
            ("ffv1-3.mkv", ["ffv1", "-level", "3"]), ("ffv1.mov", ["ffv1"]),
        ], ["tt", "bb", "tb", "bt"])
    func exact(_ clip: (name: String, coding: [String]), _ order: String) throws {
        // what is coded first is no matter of what was taken first: ffmpeg's own "tb" is of frames of which the first line
        // was
        let isTopFirst = order.first == "t"
        try make(clip.name, clip.coding, order: order, isTopFirst: isTopFirst)
        let parity = "setfield=\(isTopFirst ? "tff" : "bff")"
        let first = try sums(clip.name, "\(parity),bwdif=send_frame")
        let both = try sums(clip.name, "\(parity),bwdif=send_field")
        try #require(first.count == 12 && both.count == 24 && first != (try sums(clip.name)))
        let isJPEG = clip.coding.contains("mjpeg")
        // FFV1 would be copied, and a film has limited range
        try run([isJPEG ? "convert" : "compose", clip.name, "--codec", "ffv1", "-o", "first.mkv"])
        #expect(try sums("first.mkv") == first)
        try run(["convert", clip.name, "--codec", "ffv1", "--fps", "50", "-o", "both.mkv"])
        #expect(try sums("both.mkv") == both)
        // a film of it, and one of the frames made whole
        for (number, name) in [clip.name, "both.mkv"].enumerated() {
            try run(["compose", name, "--codec", "ffv1", "--fps", "50", "-o", "\(number).mkv"])
        }
        let light = "extractplanes=y"
        #expect(try sums("0.mkv", light) == sums("1.mkv", light))
        if !isJPEG { #expect(try sums("0.mkv") == both) }
    }

    @Test(
        "it is listed, and reported where frames are made anew",
        arguments: [
            ("mjpeg.mov", ["mjpeg"]), ("mjpeg.mkv", ["mjpeg"]), ("ffv1.mkv", ["ffv1"]),
        ])
    func reports(_ clip: (name: String, coding: [String])) throws {
        try make(clip.name, clip.coding, order: "bb", isTopFirst: false)
        #expect(
            try run(["probe", clip.name]).contains("fps interlaced, bottom field first"))
        let json = try run(["probe", "--json", clip.name])
        #expect(json.contains(#""interlaced": true"#), "\(json)")
        #expect(json.contains(#""first_field": "bottom""#), "\(json)")
        let words = "are interlaced and are made whole"
        for output in ["a.mp4", "a.gif", "a-%06d.png"] {
            let plan = try run([
                "convert", clip.name, "--plan", "--json", "--size", "80x48", "-o", output,
            ])
            #expect(plan.contains(words), "\(output): \(plan)")
        }
        #expect(
            try run(["compose", clip.name, "--plan", "--json", "-o", "a.mp4"]).contains(
                "frames that are interlaced are made whole"))
        // copies stay interlaced, and say so
        let copy = "copy.\(clip.name.hasSuffix("mov") ? "mkv" : "mov")"
        #expect(
            !(try run(["convert", clip.name, "--codec", "copy", "--plan", "--json", "-o", copy]))
                .contains("interlaced"))
        try run(["convert", clip.name, "--codec", "copy", "-o", copy])
        #expect(try run(["probe", copy]).contains("interlaced, bottom field first"))
        let stated = try tool(
            "ffprobe", ["-show_entries", "stream=field_order", "-of", "csv=p=0", copy])
        #expect(["bb", "bt"].contains { stated.hasPrefix($0) }, "\(stated)")
        #expect(
            !(try run(["compose", clip.name, "--codec", "copy", "--plan", "--json", "-o", copy]))
                .contains("interlaced"))
    }

    @Test("frames that a container states to be whole, or says nothing of, stay as they are")
    func whole() throws {
        for (name, order) in [("a.mov", "progressive"), ("a.mkv", "progressive"), ("a.avi", nil)] {
            try make(name, ["mjpeg", "-q:v", "2"], order: order)
            try run(["convert", name, "--codec", "ffv1", "-y", "-o", "b.mkv"])
            #expect(try sums("b.mkv") == sums(name), "\(name)")
            #expect(!(try run(["probe", name]).contains("interlaced")), "\(name)")
        }
    }

    @Test("H.264 whose frames are whole stays as it is, whatever its container states")
    func wronglyStated() throws {
        try make("a.mp4", ["libx264", "-qp", "0", "-preset", "ultrafast"], order: nil)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("a.mp4"))))
        // the box of x264's bit rates stands for that of the fields: two, the first line first
        let at = try #require(
            bytes.indices.first { bytes[$0...].prefix(4).elementsEqual("btrt".utf8) })
        bytes.replaceSubrange(at..<(at + 6), with: Array("fiel".utf8) + [2, 1])
        try Data(bytes).write(to: URL(filePath: folder.file("b.mp4")))
        try tool("ffmpeg", ["-i", "a.mp4", "-c", "copy", "-field_order", "tt", "b.mkv"])
        for name in ["b.mp4", "b.mkv"] {
            if name == "b.mp4" {
                let stated = try tool(
                    "ffprobe", ["-show_entries", "stream=field_order", "-of", "csv=p=0", name])
                try #require(stated.hasPrefix("tt"), "\(stated)")
            }
            try run(["convert", name, "--codec", "ffv1", "-y", "-o", "c.mkv"])
            #expect(try sums("c.mkv") == sums("a.mp4"), "\(name)")
            try run(["compose", name, "--codec", "ffv1", "-y", "-o", "d.mkv"])
            #expect(try sums("d.mkv") == sums("a.mp4"), "\(name)")
            #expect(!(try run(["probe", name]).contains("interlaced")), "\(name)")
            let plan = try run([
                "convert", name, "--codec", "ffv1", "--plan", "--json", "-o", "e.mkv",
            ])
            #expect(!plan.contains("interlaced"), "\(name): \(plan)")
        }
    }

    @Test("ProRes is interlaced where its frames are, and reported")
    func proRes() throws {
        let coding = ["prores_ks", "-pix_fmt", "yuv422p10le"]
        try make("whole.mov", coding, order: "tb")
        try tool(
            "ffmpeg",
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=50:d=0.48", "-vf",
                "tinterlace=interleave_top,setfield=tff", "-c:v", "prores_ks", "-flags", "+ildct",
                "-top", "1", "-pix_fmt", "yuv422p10le", "fields.mov",
            ])
        try tool("ffmpeg", ["-i", "fields.mov", "-c", "copy", "fields.mkv"])
        for name in ["fields.mov", "fields.mkv"] {
            #expect(try run(["probe", name]).contains("interlaced, top field first"), "\(name)")
            let plan = try run([
                "convert", name, "--codec", "ffv1", "--plan", "--json", "-o", "a.mkv",
            ])
            #expect(plan.contains("are interlaced and are made whole"), "\(plan)")
            #expect(
                try run(["compose", name, "--plan", "--json", "-o", "a.mp4"]).contains(
                    "frames that are interlaced are made whole"))
        }
        #expect(!(try run(["probe", "whole.mov"]).contains("interlaced")))
        let plan = try run([
            "convert", "whole.mov", "--codec", "ffv1", "--plan", "--json", "-o", "a.mkv",
        ])
        #expect(!plan.contains("interlaced"), "\(plan)")
    }

    @Test("which field of H.264 and MPEG-2 is first is listed", arguments: [true, false])
    func listed(isTopFirst: Bool) throws {
        for (name, coding) in [("a.mp4", "libx264"), ("a.ts", "mpeg2video")] {
            try tool(
                "ffmpeg",
                [
                    "-f", "lavfi", "-i", "testsrc2=s=160x96:r=50:d=0.48", "-vf",
                    "format=yuv420p,tinterlace=interleave_\(isTopFirst ? "top" : "bottom"),"
                        + "setfield=\(isTopFirst ? "tff" : "bff")", "-c:v", coding, "-flags",
                    "+ildct+ilme", "-top", isTopFirst ? "1" : "0", "-y", name,
                ])
            #expect(
                try run(["probe", name]).contains(
                    "interlaced, \(isTopFirst ? "top" : "bottom") field first"), "\(name)")
        }
    }
}
