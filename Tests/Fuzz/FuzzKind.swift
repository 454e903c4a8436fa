import TestSupport

/// A kind of file that is read, of which small ones are damaged.
enum FuzzKind: String, CaseIterable, Sendable {
    // frames and animations
    case gif = "anim.gif"
    case animatedWebP = "anim.webp"
    case apng = "anim.png"
    case sequence = "sequence.avif"
    case webp = "still.webp"
    case lossyWebP = "lossy.webp"
    case png = "still.png"
    case palettePNG = "palette.png"
    case jpeg = "still.jpg"
    case progressiveJPEG = "progressive.jpg"
    case tiff = "still.tif"
    case packedTIFF = "packed.tif"
    case avif = "still.avif"
    case heic = "still.heic"
    // movies
    case mp4 = "movie.mp4"
    case fragmentedMP4 = "fragments.mp4"
    case mov = "movie.mov"
    case matroska = "movie.mkv"
    case transport = "movie.ts"
    case webm = "movie.webm"
    case hevc = "hevc.mov"
    case ffv1 = "ffv1.mkv"
    case prores = "prores.mov"
    case motionJPEG = "mjpeg.avi"
    case subtitled = "subtitled.mp4"
    case take = "take.mp4"
    // audio
    case wav = "sound.wav"
    case mp3 = "sound.mp3"
    case aac = "sound.aac"
    case m4a = "sound.m4a"
    case flac = "sound.flac"
    case ogg = "sound.ogg"
    case opus = "sound.opus"
    // live photos
    case motionPhoto = "motion.jpg"
    case microVideo = "micro.jpg"
    case samsung = "samsung.jpg"
    case motionHEIC = "motion.heic"
    // projects
    case project = "film.vcap.json5"
    case timeline = "film.otio"

    var isProject: Bool { self == .project || self == .timeline }

    var isLivePhoto: Bool {
        switch self {
        case .motionPhoto, .microVideo, .samsung, .motionHEIC: true
        default: false
        }
    }

    /// Whether it shows one frame and has no length.
    var isStill: Bool {
        switch self {
        case .webp, .lossyWebP, .png, .palettePNG, .jpeg, .progressiveJPEG, .tiff, .packedTIFF,
            .avif, .heic:
            true
        default: false
        }
    }

    /// What a damaged file goes through: looked at, copied as far as that goes, decoded.
    func steps(_ input: String, in folder: TemporaryFolder) -> [[String]] {
        func output(_ name: String) -> [String] { ["-o", folder.file(name), "-y"] }
        let decode =
            ["convert", input] + output("decoded.mov") + ["-t", "1s", "-s", "32x32"]
            + ["--encoder-preset", "ultrafast", "--audio-codec", "pcm"]
        if isProject {
            return [
                ["export", input, "--plan", "--json"],
                ["export", input, "--preset", "passthrough"] + output("copied.mp4"),
                ["export", input, "--range", "0..1s"] + output("decoded.mp4"),
            ]
        }
        var copy = ["convert", input, "--codec", "copy"] + output("copied.mkv")
        if isStill { copy = ["convert", input] + output("copied.png") }
        var steps = [["probe", input, "--json"], copy, decode]
        if isLivePhoto {
            let ending = self == .motionHEIC ? "heic" : "jpg"
            steps.append(["convert", input, "--still"] + output("photo.\(ending)"))
        }
        return steps
    }
}
