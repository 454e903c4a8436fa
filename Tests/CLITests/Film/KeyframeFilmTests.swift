import Compose
import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Films with key frames, measured in what other programs decode of them.
@Suite(
    "Films that move", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct KeyframeFilmTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func ffmpeg(_ words: [String]) throws {
        let result = try #require(Program.tool("ffmpeg")).run(["-v", "error"] + words)
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func export(_ project: String, _ words: [String] = []) throws -> Program.Result {
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
        return try run(
            ["export", "f.vcap.json5", "-o", "film.mp4", "--overwrite", "--crf", "4"] + words)
    }

    /// Luma of all frames, row by row.
    private func luma(_ width: Int, _ height: Int) throws -> [[UInt8]] {
        try ffmpeg([
            "-i", folder.file("film.mp4"), "-f", "rawvideo", "-pix_fmt", "gray", "-vf",
            "extractplanes=y", folder.file("y"), "-y",
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("y"))))
        let size = width * height
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    @Test("a square lies in every frame where its key frames say, to a quarter of a pixel")
    func square() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=40x40", "-frames:v", "1", folder.file("w.png"),
        ])
        let result = try export(
            """
            { size: "320x240", fps: 25, overlays: [ { file: "w.png", end: 4,
              place: { left: 0.1, top: 0.1, width: 0.125 }, keyframes: [
                { time: 1, place: { left: 0.7, top: 0.2, width: 0.125 } },
                { time: 3, curve: "ease-in-out", place: { left: 0.1, top: 0.6, width: 0.25 } } ] } ] }
            """)
        #expect(result.status == 0, "\(result.errorText)")
        let frames = try luma(320, 240)
        #expect(frames.count == 100)
        for (index, frame) in frames.enumerated() {
            let time = Double(index) / 25
            let ease = TimingCurve.easeInOut.value(at: (time - 1) / 2)
            var (left, top, side) = (32.0, 144.0, 80.0)
            if time < 1 {
                (left, top, side) = (32 + 192 * time, 24 + 24 * time, 40)
            } else if time < 3 {
                (left, top, side) = (224 - 192 * ease, 48 + 96 * ease, 40 + 40 * ease)
            }
            var (sum, x, y) = (0.0, 0.0, 0.0)
            for row in 0..<240 {
                for column in 0..<320 {
                    let weight = max(0, Double(frame[row * 320 + column]) - 16)
                    sum += weight
                    x += weight * (Double(column) + 0.5)
                    y += weight * (Double(row) + 0.5)
                }
            }
            let (across, down) = (x / sum - left - side / 2, y / sum - top - side / 2)
            #expect(abs(across) < 0.25 && abs(down) < 0.25, "frame \(index)")
            #expect(abs(sum / 219 / side / side - 1) < 0.02, "frame \(index)")
        }
    }

    @Test("a picture's pan shows in each frame what its motion says, at even speed")
    func motion() throws {
        // luma is where a point lies in the picture: 16 to 235 from left to right
        try ffmpeg([
            "-f", "lavfi", "-i", "color=s=1280x360:d=1,format=gray,geq=lum='255*X/1279'",
            "-frames:v", "1", folder.file("p.png"),
        ])
        let result = try run([
            "compose", "p.png@..4s", "--motion", "right", "-s", "320x180", "-r", "25", "-o",
            "film.mp4", "--crf", "4",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let frames = try luma(320, 180)
        #expect(frames.count == 100)
        // the frame is a half over 1.15 of the picture's width
        let width = 0.5 / 1.15
        for (index, frame) in frames.enumerated() {
            let left = (1 - width) * Double(index) / 100
            for column in [0, 100, 200, 319] {
                let wanted = 16 + 219 * (left + width * (Double(column) + 0.5) / 320)
                #expect(
                    (Double(frame[90 * 320 + column]) - wanted).magnitude < 1.5,
                    "frame \(index), column \(column)")
            }
        }
        #expect(frames[0] != frames[99])
    }

    @Test("audio is as loud as key frames say")
    func volume() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "sine=f=1000:d=4:r=48000", "-f", "lavfi", "-i",
            "color=s=64x64:r=25:d=4", "-shortest", "-c:v", "libx264", "-c:a", "pcm_s16le",
            folder.file("a.mov"),
        ])
        func film(_ keys: String) throws -> [Double] {
            let result = try export("{ videos: [ { file: \"a.mov\"\(keys) } ] }")
            #expect(result.status == 0, "\(result.errorText)")
            try ffmpeg([
                "-i", folder.file("film.mp4"), "-f", "f32le", "-ac", "1", folder.file("s"), "-y",
            ])
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("s")))
            let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            // over 20 ms around each tenth of a second
            return (1..<40).map { index in
                let part = samples[index * 4800 - 480..<index * 4800 + 480]
                let power = part.reduce(0.0) { $0 + Double($1) * Double($1) }
                return (power / Double(part.count)).squareRoot()
            }
        }
        let plain = try film("")
        let moved = try film(
            ", volume: 0, keyframes: [ { time: 2, volume: 2 }, { time: 2, volume: 0.5 }, "
                + "{ time: 4, volume: 1 } ]")
        for index in 1..<40 where index != 20 {
            let time = Double(index) / 10
            let wanted = time < 2 ? time : 0.5 + (time - 2) / 4
            let gain = moved[index - 1] / plain[index - 1]
            #expect(abs(gain - wanted) < 0.02 * max(1, wanted), "\(time) s: \(gain)")
        }
    }

    @Test("options that do not go together, and what is no motion, are refused")
    func refusals() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=40x40", "-frames:v", "1", folder.file("w.png"),
        ])
        for (words, message) in [
            (["--motion", "around"], "auto, none, in, out"),
            (["--view", "0.5@50,50"], "a view such as"),
            (["--view", "2@0,0", "--motion", "in"], "leave one of them out"),
            (["--follow", "dog"], "face"),
            (["--follow", "face", "--view", "2@0,0"], "2.0@50,50"),
        ] {
            let result = try run(["compose", "w.png"] + words + ["-o", "x.mp4"])
            #expect(
                result.status == 64 && result.errorText.contains(message), "\(result.errorText)")
        }
        let follow = try run(["compose", "w.png", "--follow", "face", "-o", "x.mp4"])
        #expect(follow.status == 0)
        #expect(follow.errorText.contains("no face is followed"))
    }

    @Test("the film of a take shows the view that is asked for")
    func take() throws {
        let result = try run([
            "record", "-c", "test:7,size=128x72,fps=25", "-t", "0.4", "-o", "t.mp4", "--then",
            "compose", "--view", "4@100,100", "-v",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        func corner(_ name: String) throws -> [UInt8] {
            try ffmpeg([
                "-i", folder.file(name), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray",
                folder.file("y"), "-y",
            ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("y"))))
        }
        let plain = try corner("t.mp4")
        let near = try corner("t.film.mp4")
        #expect(plain.count == near.count)
        // its upper left pixel is what lies at three quarters of the take's
        #expect(abs(Int(near[0]) - Int(plain[54 * 128 + 96])) < 24)
        let difference = zip(plain, near).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(difference / plain.count > 8)
    }
}
