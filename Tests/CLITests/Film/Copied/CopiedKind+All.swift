extension CopiedKind {
    static let all =
        groups + coding + colors + containers + times + own + otherPrograms + hevcKinds
        + otherCodecs

    static func named(_ name: String) -> CopiedKind? { all.first { $0.name == name } }

    /// Which frames need which others.
    private static let groups = [
        CopiedKind("closed", x264: "open-gop=0:bframes=3:b-pyramid=none:scenecut=0"),
        CopiedKind("short-groups", x264: "bframes=2", gop: 8),
        CopiedKind("groups-of-250", x264: "bframes=3", gop: 250),
        CopiedKind("groups-of-600", x264: "bframes=3:scenecut=0", gop: 600),
        CopiedKind("one-key-frame", x264: "keyint=infinite:scenecut=0", gop: nil),
        CopiedKind("open", x264: "open-gop=1:bframes=3:b-pyramid=normal"),
        CopiedKind("open-bluray", x264: "open-gop=1:bluray-compat=1:bframes=3:aud=1"),
        CopiedKind("pyramid-strict", x264: "bframes=5:b-pyramid=strict:b-adapt=0"),
        CopiedKind("pyramid", x264: "bframes=8:b-pyramid=normal:b-adapt=0:ref=4"),
        CopiedKind("no-b-frames", x264: "bframes=0"),
        CopiedKind("intra", gop: 1),
        CopiedKind("refresh", x264: "intra-refresh=1:bframes=0"),
        CopiedKind(
            "forced-keys", x264: "scenecut=0:bframes=3", gop: 250,
            ["-force_key_frames", "0.3,0.9,1.2,2.7,3.03"]),
        CopiedKind("ref-1", x264: "ref=1"),
        CopiedKind("ref-16", x264: "ref=16:bframes=4:b-pyramid=normal"),
    ]

    /// How a frame is coded.
    private static let coding = [
        CopiedKind("weights-0", x264: "weightp=0:weightb=0:bframes=2"),
        CopiedKind("weights-1", x264: "weightp=1:weightb=1:bframes=2"),
        CopiedKind("weights-2", x264: "weightp=2:weightb=1:bframes=3") { $0.filter = fade },
        CopiedKind("weights-refs", x264: "weightp=2:ref=8:bframes=0") { $0.filter = fade },
        CopiedKind("temporal", x264: "direct=temporal:bframes=3"),
        CopiedKind("slices", x264: "slices=4"),
        CopiedKind("sliced-threads", x264: "sliced-threads=1:threads=4"),
        CopiedKind("short-slices", x264: "slice-max-size=400:bframes=2"),
        CopiedKind("cavlc", x264: "cabac=0:bframes=2"),
        CopiedKind("no-8x8dct", x264: "8x8dct=0"),
        CopiedKind("baseline", ["-profile:v", "baseline"]),
        CopiedKind("main", ["-profile:v", "main"]),
        CopiedKind("ultrafast", ["-preset", "ultrafast"]),
        CopiedKind("veryslow", ["-preset", "veryslow"]),
        CopiedKind("zerolatency", ["-tune", "zerolatency"]),
        // decoded wrongly behind others
        CopiedKind("lossless", ["-preset", "ultrafast", "-crf", "0"]) { $0.share = .nothing },
        CopiedKind("matrices", x264: "cqm=jvt"),
        CopiedKind("no-deblocking", x264: "no-deblock=1"),
        CopiedKind("constrained-intra", x264: "constrained-intra=1"),
        CopiedKind("stitchable", x264: "stitchable=1"),
        CopiedKind("buffered", x264: "nal-hrd=cbr:\(rate(800)):aud=1", ["-crf", "-1"]),
        CopiedKind("filled", x264: "nal-hrd=cbr:\(rate(3000)):filler=1", ["-crf", "-1"]),
        CopiedKind("repeated-sets", x264: "repeat-headers=1:bframes=2"),
        CopiedKind("sets-5", x264: "sps-id=5"),
        CopiedKind("sets-31", x264: "sps-id=31"),
        CopiedKind("level-5.1", x264: "level=5.1"),
        CopiedKind("frame-messages", x264: "pic-struct=1"),
        CopiedKind("fields", x264: "interlaced=1:tff=1") { $0.share = .nothing },
        CopiedKind("fields-bottom", x264: "interlaced=1:bff=1:cabac=0") { $0.share = .nothing },
        CopiedKind("fields-by-name", x264: "fake-interlaced=1") { $0.share = .nothing },
    ]

    private static let fade = "fade=t=in:st=0:d=3"

    private static func rate(_ kilobits: Int) -> String {
        "vbv-maxrate=\(kilobits):vbv-bufsize=\(kilobits):bitrate=\(kilobits)"
    }

    /// What a code means.
    private static let colors = [
        CopiedKind("yuv444-lossless", x264: "qp=0", ["-preset", "ultrafast"]) {
            ($0.pixels, $0.share) = ("yuv444p", .nothing)
        },
        CopiedKind("yuv444") { ($0.pixels, $0.share) = ("yuv444p", .nothing) },
        CopiedKind("yuv422") { ($0.pixels, $0.share) = ("yuv422p", .nothing) },
        CopiedKind("grey") { ($0.pixels, $0.share) = ("gray", .nothing) },
        CopiedKind("10-bit") { ($0.pixels, $0.share) = ("yuv420p10le", .nothing) },
        CopiedKind("full-range", ["-color_range", "pc"]) {
            ($0.pixels, $0.share) = ("yuvj420p", .nothing)
        },
        CopiedKind("bt709", named("bt709")),
        CopiedKind("bt601", named("smpte170m")),
        CopiedKind("oblong") { ($0.filter, $0.share) = ("setsar=4/3", .nothing) },
    ]

    private static func named(_ colors: String) -> [String] {
        ["-colorspace", colors, "-color_primaries", colors, "-color_trc", colors]
    }

    /// How frames are put into a file.
    private static let containers = [
        CopiedKind("mov") { ($0.ending, $0.audio) = ("mov", "pcm_s16le") },
        CopiedKind("mkv", x264: "bframes=3") { $0.ending = "mkv" },
        CopiedKind("mkv-pcm", x264: "bframes=2") { ($0.ending, $0.audio) = ("mkv", "pcm_s16le") },
        CopiedKind("ts", x264: "bframes=3") { $0.ending = "ts" },
        CopiedKind("ts-open", x264: "bframes=3:open-gop=1") { $0.ending = "ts" },
        CopiedKind("ts-beheaded", x264: "bframes=2") {
            ($0.ending, $0.change) = ("ts", .beheaded)
        },
        CopiedKind("avi", x264: "bframes=0") { ($0.ending, $0.audio) = ("avi", "pcm_s16le") },
        CopiedKind(
            "fragments", x264: "bframes=3",
            ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
        CopiedKind(
            "fragments-late-index", x264: "bframes=3",
            ["-movflags", "frag_keyframe+delay_moov", "-frag_duration", "500000"]),
        CopiedKind("index-first", x264: "bframes=3", ["-movflags", "faststart"]),
        CopiedKind("negative-offsets", x264: "bframes=3", ["-movflags", "negative_cts_offsets"]),
        CopiedKind("joined", x264: "bframes=2") { $0.change = .joined },
        CopiedKind("silent", x264: "bframes=2") { $0.audio = nil },
    ]

    /// When frames are shown.
    private static let times = [
        CopiedKind("no-edits", x264: "bframes=3", ["-use_editlist", "0"]),
        CopiedKind("timescale-1000", x264: "bframes=3", ["-video_track_timescale", "1000"]),
        CopiedKind("timescale-600", x264: "bframes=3", ["-video_track_timescale", "600"]),
        CopiedKind("variable", x264: "bframes=3") { $0.filter = "setpts='(N+0.3*mod(N,2))/30/TB'" },
        CopiedKind("dropped", x264: "bframes=3", gop: 12) { $0.filter = "select='mod(n+1,17)'" },
        CopiedKind("held", x264: "bframes=3") {
            $0.filter = "setpts='(N+if(gt(N,60),12,0))/30/TB'"
        },
        CopiedKind("23.976", x264: "bframes=3", gop: 24) { $0.rate = "24000/1001" },
        CopiedKind("mkv-23.976", x264: "bframes=3", gop: 24) {
            ($0.rate, $0.ending) = ("24000/1001", "mkv")
        },
        CopiedKind("29.97", x264: "bframes=3") { $0.rate = "30000/1001" },
        CopiedKind("25", x264: "bframes=3", gop: 25) { $0.rate = "25" },
        CopiedKind("50", x264: "bframes=3", gop: 50) { $0.rate = "50" },
        CopiedKind("trimmed", x264: "bframes=3") { $0.change = trim },
        CopiedKind("trimmed-open", x264: "open-gop=1:bframes=3") {
            ($0.change, $0.share) = (trim, .nothing)
        },
        CopiedKind("rotated") {
            $0.change = .copied(before: [], behind: ["-metadata:s:v:0", "rotate=180"])
            $0.share = .nothing
        },
        CopiedKind("offset", x264: "bframes=2", ["-output_ts_offset", "3"]),
        CopiedKind("late-video", x264: "bframes=2") {
            $0.change = .copied(
                before: ["-itsoffset", "0.4"], behind: ["-map", "0:v", "-map", "1:a"])
        },
    ]

    private static let trim = Change.copied(before: ["-ss", "0.7"], behind: [])

    /// What this program has made.
    private static let own = [
        CopiedKind("take", .recorder(["-g", "1s"], .whole)),
        CopiedKind("take-short-groups", .recorder(["-g", "15"], .whole)),
        CopiedKind("take-mkv", .recorder([], .whole)) { $0.ending = "mkv" },
        CopiedKind("take-mov", .recorder([], .whole)) { $0.ending = "mov" },
        CopiedKind("take-ts", .recorder([], .whole)) { $0.ending = "ts" },
        CopiedKind("take-paused", .recorder([], .paused)),
        CopiedKind("take-killed", .recorder([], .killed)),
        CopiedKind("film", .composer(["--copy", "never"], of: ["closed"])),
        CopiedKind("film-copied", .composer(titled, of: ["closed", "pyramid"])),
        CopiedKind("film-twice", .composer(titled, of: ["film-copied", "cavlc"])),
        CopiedKind(
            "film-passed",
            .composer(["--copy", "only"], of: ["closed@0.7s..3s", "closed@1.5s..3.2s"])
        ) { $0.hasSeveralEdits = true },
    ]

    private static let titled = ["--title", "One", "--title-duration", "0.7s"]

    /// Coders that are not x264 by ffmpeg.
    private static let otherPrograms = [
        CopiedKind("openh264", .gstreamer(coder: openH264, muxer: "mp4mux")),
        CopiedKind(
            "openh264-slices",
            .gstreamer(coder: openH264 + ["slice-mode=n-slices", "num-slices=4"], muxer: "mp4mux")),
        CopiedKind("gst-x264", .gstreamer(coder: gstX264 + ["bframes=2"], muxer: "mp4mux")),
        CopiedKind("gst-x264-ts", .gstreamer(coder: gstX264 + ["bframes=2"], muxer: "mpegtsmux")) {
            $0.ending = "ts"
        },
        CopiedKind("gst-x264-mkv", .gstreamer(coder: gstX264, muxer: "matroskamux")) {
            $0.ending = "mkv"
        },
    ]

    private static let openH264 = ["openh264enc", "gop-size=30", "bitrate=1000000"]
    private static let gstX264 = ["x264enc", "key-int-max=30", "speed-preset=veryfast"]

    /// What is never copied.
    private static let otherCodecs = [
        other("hevc-10", ["libx265", "-preset", "ultrafast", "-x265-params", hevc]) {
            $0.pixels = "yuv420p10le"
        },
        other("vp8", ["libvpx", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "8"]) {
            $0.ending = "mkv"
        },
        other("vp9", ["libvpx-vp9", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "8"]) {
            $0.ending = "mkv"
        },
        other("av1", ["libsvtav1", "-preset", "12", "-crf", "35"]),
        other("mpeg4", ["mpeg4", "-q:v", "3", "-bf", "2"]),
        other("mpeg2", ["mpeg2video", "-q:v", "3", "-bf", "2"]) {
            ($0.ending, $0.audio) = ("ts", "mp2")
        },
        other("mjpeg", ["mjpeg", "-q:v", "3"]) { ($0.ending, $0.pixels) = ("mov", "yuvj420p") },
        other("prores", ["prores_ks", "-profile:v", "0"]) {
            ($0.ending, $0.pixels, $0.audio) = ("mov", "yuv422p10le", "pcm_s16le")
        },
    ]

    /// Copied into films of HEVC.
    private static let hevcKinds = [
        hevc("hevc", "open-gop=0"), hevc("hevc-open", "bframes=4:b-adapt=0:scenecut=0"),
        hevc("hevc-mkv", "open-gop=1") { $0.ending = "mkv" },
        hevc("hevc-slices", "slices=2:ctu=16:open-gop=0"), hevc("hevc-no-b", "bframes=0"),
        hevc("hevc-sets", "repeat-headers=1") { $0.ending = "mov" },
        hevc("hevc-layers", "temporal-layers=1"),
        hevc("hevc-weighted", "weightb=1:b-pyramid=0"),
        hevc("hevc-h264", "open-gop=0") { ($0.film, $0.share) = (nil, .nothing) },
    ]

    private static func hevc(
        _ name: String, _ parameters: String, _ change: (inout CopiedKind) -> Void = { _ in }
    ) -> CopiedKind {
        let words = ["-c:v", "libx265", "-preset", "veryfast", "-x265-params"]
        return CopiedKind(name, .ffmpeg(words + [hevc + ":" + parameters])) {
            $0.film = "hevc"
            change(&$0)
        }
    }

    private static let hevc = "keyint=30:log-level=error"

    private static func other(
        _ name: String, _ coding: [String], _ change: (inout CopiedKind) -> Void = { _ in }
    ) -> CopiedKind {
        CopiedKind(name, .ffmpeg(["-c:v"] + coding)) {
            $0.share = .nothing
            change(&$0)
        }
    }
}
