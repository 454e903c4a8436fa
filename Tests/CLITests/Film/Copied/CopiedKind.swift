import Testing

/// A kind of clip that films are made of, whose frames they copy or have to encode.
struct CopiedKind: Sendable, CustomTestStringConvertible {
    /// Who makes it.
    enum Maker: Sendable {
        /// ffmpeg, with these options of its output.
        case ffmpeg([String])
        /// GStreamer: the element that codes and the one that writes, with their settings.
        case gstreamer(coder: [String], muxer: String)
        /// `vcap record`, with these options.
        case recorder([String], CopiedTake)
        /// `vcap compose` of two other clips, with these options.
        case composer([String], of: [String])
    }

    /// What is done to the clip that ffmpeg has made.
    enum Change: Sendable {
        /// Packets copied by ffmpeg, with options before and behind the input.
        case copied(before: [String], behind: [String])
        /// The first seventh of its bytes, of whole packets of a transport stream, is missing.
        case beheaded
        /// Another clip, coded differently, is appended to its packets.
        case joined
    }

    /// What a film copies of a clip with something drawn over the middle.
    enum Share: Sendable {
        case nothing
        case some
    }

    let name: String
    let maker: Maker
    var ending = "mp4"
    var rate = "30"
    var pixels = "yuv420p"
    /// ffmpeg's coder of the audio; nil: none.
    var audio: String? = "aac"
    /// Applied after drawing.
    var filter = "null"
    var change: Change?
    var share = Share.some
    /// What films of it are coded as, where that is not what they usually are.
    var film: String?
    /// ffmpeg does not apply edit lists of several spans as we do: frames are looked for among all of them.
    var hasSeveralEdits = false

    var testDescription: String { name }

    init(_ name: String, _ maker: Maker, _ change: (inout CopiedKind) -> Void = { _ in }) {
        (self.name, self.maker) = (name, maker)
        change(&self)
    }

    /// H.264 of x264, with its own settings and further options of ffmpeg.
    init(
        _ name: String, x264 settings: String = "", gop: Int? = 30, _ options: [String] = [],
        _ change: (inout CopiedKind) -> Void = { _ in }
    ) {
        var words = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]
        if let gop { words += ["-g", "\(gop)"] }
        if !settings.isEmpty { words += ["-x264-params", settings] }
        self.init(name, .ffmpeg(words + options), change)
    }

    /// Options of its films.
    var filmOptions: [String] { film.map { ["--codec", $0] } ?? [] }

    /// Two clips of each kind have other frames and tones.
    func file(_ part: Int) -> String { "\(name)-\(part).\(ending)" }

    /// Whether its own frames are shown one after the other at the film's rate (seconds of a frame).
    var frameSeconds: Double {
        let parts = rate.split(separator: "/").compactMap { Double($0) }
        return (parts.count > 1 ? parts[1] : 1) / (parts.first ?? 30)
    }
}

/// How a take comes to its end.
enum CopiedTake: Sendable {
    case whole
    case paused
    case killed
}
