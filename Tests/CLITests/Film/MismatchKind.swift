import Compose
import Media
import TestSupport
import Testing

/// A kind of clip that films have to bring together with every other kind.
struct MismatchKind: Sendable, CustomTestStringConvertible {
    let name: String
    var ending = "mp4"
    var clip = GeneratedClip()
    /// As the film shows it (pixels).
    var upright = PixelSize(width: 192, height: 108)
    /// How a film calls its rate when this clip is the first.
    var rate = "30"
    var frameDuration = MediaTime(value: 1, timescale: 30)
    var isVariable = false
    var isDeep = false
    /// A film gets its shape and rate from a movie where it has one.
    var isAnimation = false
    /// Clockwise, by what the file says and not by its frames (degrees).
    var rotation = 0

    var testDescription: String { name }
    var file: String { "\(name).\(ending)" }

    private init(_ name: String, _ change: (inout MismatchKind) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// Every kind, each with a colour and a tone of its own.
    static let all = numbered([
        MismatchKind("landscape"),
        MismatchKind("portrait") {
            $0.upright = PixelSize(width: 108, height: 192)
            // ffmpeg's option counts the other way round
            $0.rotation = 270
        },
        MismatchKind("four-by-three") {
            ($0.clip.width, $0.clip.height) = (128, 96)
            $0.upright = PixelSize(width: 128, height: 96)
        },
        MismatchKind("odd") {
            ($0.clip.width, $0.clip.height) = (101, 57)
            $0.clip.pixelFormat = "yuv444p"
            $0.upright = PixelSize(width: 101, height: 57)
        },
        MismatchKind("24") {
            $0.clip.rate = "24"
            $0.rate = "24"
            $0.frameDuration = MediaTime(value: 1, timescale: 24)
        },
        MismatchKind("29.97") {
            $0.clip.rate = "30000/1001"
            $0.rate = "30000/1001"
            $0.frameDuration = MediaTime(value: 1001, timescale: 30_000)
        },
        MismatchKind("variable") {
            // frames of 40 and 60 ms in turn: the shorter ones make 25 a second
            $0.clip.filter = "settb=1/1000,setpts='N*50-10*mod(N,2)'"
            $0.clip.options = ["-enc_time_base:v", "1/1000", "-video_track_timescale", "90000"]
            $0.rate = "25"
            $0.frameDuration = MediaTime(value: 1, timescale: 25)
            $0.isVariable = true
        },
        MismatchKind("10-bit") {
            $0.clip.pixelFormat = "yuv420p10le"
            $0.isDeep = true
        },
        MismatchKind("mono") { $0.clip.tone?.channels = 1 },
        MismatchKind("44.1-kHz") { $0.clip.tone?.sampleRate = 44_100 },
        MismatchKind("silent") { $0.clip.tone = nil },
        MismatchKind("animation") {
            $0.ending = "gif"
            $0.clip.tone = nil
            $0.clip.rate = "25"
            // the few colours there are, each its own
            $0.clip.filter =
                "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none"
            $0.clip.coding = []
            $0.rate = "25"
            $0.frameDuration = MediaTime(value: 1, timescale: 25)
            $0.isAnimation = true
        },
    ])

    private static func numbered(_ kinds: [MismatchKind]) -> [MismatchKind] {
        kinds.enumerated().map { index, kind in
            var kind = kind
            kind.clip.color = .init(60 + 12 * index, 100 + 37 * index % 60, 160 - 23 * index % 60)
            kind.clip.tone?.frequency = 400 + 80 * index
            return kind
        }
    }

    /// Writes the clip and lays it on its side where it says so.
    func write(to folder: TemporaryFolder) throws {
        guard rotation != 0 else { return try clip.write(to: folder.file(file)) }
        let lying = folder.file("lying.\(ending)")
        try clip.write(to: lying)
        let result = try Program.tool("ffmpeg")?.run([
            "-v", "error", "-y", "-i", lying, "-c", "copy", "-metadata:s:v:0",
            "rotate=\(360 - rotation)", folder.file(file),
        ])
        guard result?.status == 0 else {
            throw MovieOracle.Failure(description: result?.errorText ?? "ffmpeg is not installed")
        }
    }

    /// What must be said about this clip in a film made like a clip of kind `first`: parts of each sentence.
    func notes(inFilmOf first: MismatchKind) -> [[String]] {
        var notes: [[String]] = []
        let frame = PixelSize(width: first.upright.width & ~1, height: first.upright.height & ~1)
        if rotation != 0 { notes.append(["rotated by \(rotation)°", "because the file says"]) }
        if upright != frame {
            notes.append([
                "\(upright.width)x\(upright.height) is fitted",
                "\(frame.width)x\(frame.height) (contain)",
            ])
        }
        if isVariable {
            notes.append(["variable frame rate", "the film's \(first.rate) a second"])
        } else if rate != first.rate {
            notes.append(["\(rate) frames a second", "the film's \(first.rate)"])
        }
        if isDeep != first.isDeep {
            notes.append([
                isDeep ? "more than 8 bits" : "8 bits", "the film's \(first.isDeep ? 10 : 8)",
            ])
        }
        if let tone = clip.tone {
            if tone.sampleRate != 48_000 {
                notes.append(["\(tone.sampleRate) Hz is resampled", "48000 Hz"])
            }
            if tone.channels == 1 { notes.append(["mono audio is heard on both channels"]) }
        }
        return notes
    }
}
