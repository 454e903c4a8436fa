import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Frames by movie time")
struct FrameCursorTests {
    private let footage: Footage

    init() throws { footage = try Footage() }

    private func number(_ sample: SampleBuffer) throws -> Int {
        FrameStrip.number(in: try #require(sample.pixelBuffer))
    }

    private static let bFrames = [
        "-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "24", "-crf", "20",
    ]

    /// Asks for instants in random order and forwards; each must show the frame that arithmetic says.
    private func check(
        _ asset: Asset, count: Int, rate: FrameRate, tolerance: MediaTime = .zero, threads: Int = 1
    ) throws {
        let track = try asset.first(.video)
        let cursor = try FrameCursor(asset: asset, track: track, threads: threads)
        defer { cursor.close() }
        let frame = rate.frameDuration
        var random = SplitMix(seed: 7)
        let places = (0..<count).shuffled(using: &random).prefix(60) + (0..<count)
        for place in places {
            // a third into the frame
            let time = MediaTime(
                value: frame.value * Int64(3 * place + 1), timescale: frame.timescale * 3)
            let sample = try cursor.picture(at: time)
            #expect(try number(sample) == place)
            let off = (sample.presentationTime - frame * Int64(place)).approximateSeconds
            #expect(abs(off) <= tolerance.approximateSeconds)
        }
        #expect(try number(cursor.picture(at: .seconds(-5))) == 0)
        #expect(try number(cursor.picture(at: .seconds(500))) == count - 1)
        #expect(cursor.damagedSamples == 0)
    }

    @Test("a JPEG for a small frame comes halved as often as it still fills it, and looks the same")
    func smallStill() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("photo.jpg")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "gradients=s=640x480:seed=3", "-frames:v", "1",
            "-pix_fmt", "yuvj420p", "-q:v", "2", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let asset = try Asset.load(path)
        func luma(_ box: FrameBounds?) throws -> (width: Int, quarters: [Int]) {
            let cursor = try FrameCursor(
                asset: asset, track: try asset.first(.video), fitting: box)
            defer { cursor.close() }
            let frame = try #require(cursor.picture(at: .zero).pixelBuffer)
            #expect(cursor.format.width == frame.width)
            return frame.withPlane(0) { plane in
                let quarters = (0..<16).map { cell in
                    let (x, y) = (cell % 4 * frame.width / 4, cell / 4 * frame.height / 4)
                    var sum = 0
                    for row in y..<(y + frame.height / 4) {
                        for column in x..<(x + frame.width / 4) {
                            sum += Int(plane.row(row)[column])
                        }
                    }
                    return sum / (frame.width / 4 * (frame.height / 4))
                }
                return (frame.width, quarters)
            }
        }
        let whole = try luma(nil)
        #expect(whole.width == 640)
        for (box, width) in [
            (FrameBounds(width: 400, height: 300), 640),
            (FrameBounds(width: 320, height: 900), 320),
            (FrameBounds(width: 200, height: 130), 320), (FrameBounds(width: 100, height: 75), 160),
        ] {
            let small = try luma(box)
            #expect(small.width == width, "\(box)")
            #expect(zip(small.quarters, whole.quarters).allSatisfy { abs($0 - $1) <= 1 })
        }
    }

    @Test("any frame of a 29.97 movie with B-frames shows at its instant, in any order")
    func randomAccess() throws {
        let asset = try footage.movie("a.mp4", rate: "30000/1001", Self.bFrames)
        try check(asset, count: 90, rate: FrameRate(30_000, per: 1001))
        try check(asset, count: 90, rate: FrameRate(30_000, per: 1001), threads: 4)
    }

    @Test(
        "the same holds for files without an index of ours", arguments: ["a.mkv", "a.ts", "a.avi"])
    func otherContainers(_ name: String) throws {
        let codec = name.hasSuffix("avi") ? ["-c:v", "mjpeg", "-q:v", "2"] : Self.bFrames
        let asset = try footage.movie(name, codec)
        try check(asset, count: 90, rate: FrameRate(30), tolerance: .milliseconds(1))
    }

    @Test(
        "every second frame of a variable rate movie stays as long as its stamps say",
        arguments: [3, 40])
    func variableRate(gap: Int) throws {
        let asset = try footage.movie(
            "v.mp4",
            Self.bFrames + [
                "-vf", "setpts=(N+floor(N/2)*\(gap))/(30*TB)", "-vsync", "passthrough",
                "-video_track_timescale", "30000",
            ])
        let cursor = try FrameCursor(asset: asset, track: asset.first(.video))
        for place in [80, 3, 41, 40, 42, 7, 0, 88, 1, 2] {
            let start = Int64(place + place / 2 * gap)
            let length = Int64(place % 2 == 0 ? 1 : 1 + gap)
            for offset in [0, length * 1000 - 1] {
                let time = MediaTime(value: start * 1000 + offset, timescale: 30_000)
                let sample = try cursor.picture(at: time)
                #expect(try number(sample) == place)
                #expect(sample.presentationTime == MediaTime(value: start, timescale: 30))
                #expect(sample.duration == MediaTime(value: length, timescale: 30))
            }
        }
    }

    @Test("an edit list of several spans shows each span in its place, holes and held frames too")
    func editList() throws {
        let plain = try footage.movie("e.mp4", Self.bFrames)
        let track = try plain.first(.video)
        let lead = try #require(track.edits.first?.mediaTime).value
        let tick = Int64(track.timescale) / 30
        func entry(_ frames: UInt64, from frame: Int64?, rate: Int32 = 0x1_0000)
            -> EditListBox.Entry
        {
            // ffmpeg's movie timescale is 1000: 3 frames are 100 ms
            EditListBox.Entry(
                duration: frames * 100 / 3, mediaTime: frame.map { lead + $0 * tick }, rate: rate)
        }
        let asset = try footage.edit(
            plain, track: 0,
            [
                entry(6, from: nil), entry(15, from: 60), entry(9, from: 12), entry(3, from: nil),
                entry(6, from: 30, rate: 0), entry(12, from: 61),
            ])
        let expected =
            Array(repeating: 60, count: 6) + (60..<75) + (12..<21)
            + Array(repeating: 20, count: 3) + Array(repeating: 30, count: 6) + (61..<73)
        let cursor = try FrameCursor(asset: asset, track: asset.first(.video))
        for (place, wanted) in expected.enumerated().reversed() + Array(expected.enumerated()) {
            let time = MediaTime(value: Int64(2 * place + 1), timescale: 60)
            #expect(try number(cursor.picture(at: time)) == wanted, "frame \(place)")
        }
        #expect(asset.duration == .milliseconds(1700))
        let held = try cursor.picture(at: .milliseconds(1200))
        #expect(held.presentationTime == .milliseconds(1100))
        #expect(held.duration == .milliseconds(200))
    }

    @Test("a track that starts late shows its first frame before, and nothing is shifted")
    func lateStart() throws {
        let audio = try footage.sound(frames: 3 * Footage.audioRate)
        for name in ["late.mp4", "late.mkv"] {
            let asset = try footage.encode(
                name,
                [
                    "-f", "s16le", "-ar", "48000", "-ac", "1", "-i", audio,
                    "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x48", "-r", "30", "-i",
                    try footage.pictures(60),
                ] + Self.bFrames + [
                    "-vf", "setpts=PTS+0.5/TB", "-vsync", "passthrough", "-c:a", "flac", "-strict",
                    "-2",
                ])
            let cursor = try FrameCursor(asset: asset, track: asset.first(.video))
            #expect(try number(cursor.picture(at: .zero)) == 0)
            #expect(try number(cursor.picture(at: .milliseconds(520))) == 0)
            #expect(try number(cursor.picture(at: .milliseconds(1517))) == 30)
            #expect(try number(cursor.picture(at: .milliseconds(100))) == 0)
        }
    }

    @Test("decoded frames state their size, colour, pixel shape and the turn still to be made")
    func format() throws {
        let plain = try footage.movie(
            "f.mp4",
            Self.bFrames + [
                "-vf", "setsar=4/3", "-color_primaries", "bt709", "-color_trc", "bt709",
                "-colorspace", "bt709", "-color_range", "tv", "-pix_fmt", "yuv420p10le",
            ])
        let rotated = try footage.encode(
            "t.mp4", ["-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90"])
        let format = try FrameCursor(asset: rotated, track: rotated.first(.video)).format
        #expect(format.pixelFormat == .yuv420p10le)
        #expect((format.width, format.height) == (96, 48))
        #expect(format.color == .bt709)
        #expect(format.pixelAspect == PixelAspect(4, 3))
        // ffmpeg 5.1 counts this option anticlockwise
        #expect(format.orientation.rotation == .clockwise270)
    }

    @Test("a thousand cursors opened and closed leave no descriptor")
    func descriptors() throws {
        let movie = try footage.movie("d.mp4", count: 3, Self.bFrames)
        let other = try footage.movie("d.mkv", count: 3, Self.bFrames)
        for (asset, cycles) in [(movie, 800), (other, 200)] {
            let track = try asset.first(.video)
            for cycle in 0..<cycles {
                let cursor = try FrameCursor(asset: asset, track: track)
                if cycle % 2 == 0 { cursor.close() }
            }
            #expect(asset.openDescriptors == 0)
            let open = try FrameCursor(asset: asset, track: track)
            #expect(asset.openDescriptors == 1)
            open.close()
            #expect(throws: MediaError.self) { try open.picture(at: .zero) }
        }
    }
}
