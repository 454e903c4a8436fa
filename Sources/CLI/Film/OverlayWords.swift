import Compose
internal import Glibc
import Media

/// The clips of `--overlay`, each a track of its own.
struct OverlayWords {
    let arguments: Arguments

    var tracks: [OverlayTrack] {
        get throws(CommandFailure) {
            var tracks: [OverlayTrack] = []
            for value in try arguments.all(ComposeOptions.overlay) {
                tracks.append(OverlayTrack([try item(value)]))
            }
            return tracks
        }
    }

    private func item(_ value: OverlayValue) throws(CommandFailure) -> VideoItem {
        // a file of the whole name is meant
        let isWhole = access(value.text, F_OK) == 0
        let generated = try ClipValue.generated(value.file, whole: value.text)
        let file = isWhole ? ClipValue(path: value.text) : ClipValue(value.file)
        var item = (generated ?? file).item
        item.place = ClipPlace()
        try TypedKey<VideoItem>.read(
            isWhole ? [] : value.keysInOrder, of: OverlayKey.all, into: &item
        ) { refusal(value, $0) }
        let details = value.keys.map(\.name).filter { $0.hasPrefix("key-") }
        if !isWhole, let detail = details.first, item.key == nil {
            throw refusal(value, "\(detail) is for a key; give it key=green as well")
        }
        return item
    }

    private func refusal(_ value: OverlayValue, _ reason: String) -> CommandFailure {
        CommandFailure(.usage, "--overlay \(value.file): \(reason)")
    }
}

/// What `--overlay` knows.
private enum OverlayKey {
    static let all: [TypedKey<VideoItem>] =
        [
            .init("at", .instant) { $1.at = $0 },
            .init(
                "place",
                expected: Watermark.Anchor.allCases.map(\.rawValue).joined(separator: ", "),
                Watermark.Anchor.init(rawValue:), { $1.place?.anchor = $0 }),
            .share("width", 0.001...4) { $1.place?.width = $0 },
            .share("height", 0.001...4) { $1.place?.height = $0 },
            .share("left", -4...4) { $1.place?.left = $0 },
            .share("top", -4...4) { $1.place?.top = $0 },
            .share("margin", 0...1) { $1.place?.margin = $0 },
            .share("rotation", -36_000...36_000) { $1.place?.rotation = $0 },
            .init("fit", expected: "contain, cover or stretch", fit) { $1.fit = $0 },
            .init(
                "crop",
                expected: "left/top/right/bottom such as 0.1/0/0.1/0, which leave something",
                crop
            ) { $1.crop = $0 },
            .init(
                "mask", expected: "ellipse, rectangle or a picture file, whose luma counts", mask
            ) { ($1.area.shape, $1.area.picture) = $0 },
            .share("opacity", 0...1) { $1.look.opacity = $0 },
            .share("corner-radius", 0...0.5) { $1.look.cornerRadius = $0 },
            .init(
                "border",
                expected: "a colour and perhaps a width up to 0.5, such as white or white/0.01",
                border
            ) { $1.look.border = $0 },
            .init("shadow", expected: "without a value", shadow) { $1.look.shadow = $0 },
            .init("fade-in", .duration) { $1.fadeIn = $0 },
            .init("fade-out", .duration) { $1.fadeOut = $0 },
            .init("fade", .duration) { ($1.fadeIn, $1.fadeOut) = ($0, $0) },
            .init("speed", expected: "a speed from 0.01 to 100, such as 2, 0.5 or 3/2", speed) {
                $1.speed = $0
            },
            .init("reverse", expected: "without a value", word) { $1.isReversed = $0 },
            .init("blend", expected: "without a value", word) { $1.blendsFrames = $0 },
            .init("loudness", .loudness) { $1.loudness = $0 },
            .share("volume", 0...16) { $1.volume = $0 },
            .share("pan", -1...1) { $1.pan = $0 },
            .init("low-cut", .lowCut) { $1.treatment.lowCut = $0 },
            .init("gate", .gate) { $1.treatment.gate = NoiseGate(threshold: $0) },
            .init("limiter", .limiter) { $1.treatment.limiter = $0 },
            .init("audio", expected: "none or numbers of tracks such as 3/4", voices) {
                $1.voices = $0
            },
            .init("track", .integer("TRACK", in: 1...Int(Int32.max))) { $1.track = $0 },
            .init("key", expected: "green, blue or another colour of a screen", screen) {
                $1.key = ChromaKey($0)
            },
            .share("key-tolerance", 0...1) { $1.key?.tolerance = $0 },
            .share("key-softness", 0...1) { $1.key?.softness = $0 },
            .share("key-spill", 0...1) { $1.key?.spill = $0 },
            .init(
                "lut", expected: "a .cube file", { $0.isEmpty ? nil : $0 }, { $1.grade.table = $0 }),
        ]
        + VideoItem.areaKeys(prefix: "mask-")
        + GradeKey.all.map { key in
            TypedKey(key.name, expected: key.expected) { key.read($0, &$1.grade) }
        }

    private static func fit(_ text: String) -> FitMode? {
        FitMode(rawValue: text).flatMap { $0 == .blurred ? nil : $0 }
    }

    private static func speed(_ text: String) -> Speed? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let up = Int32(parts[0]), let down = Int32(parts[1]), up > 0, down > 0
        {
            let speed = Speed(up, per: down)
            return (0.01...100).contains(speed.approximate) ? speed : nil
        }
        guard let value = Double(text), (0.01...100).contains(value) else { return nil }
        return Speed(Int32((value * 1000).rounded()), per: 1000)
    }

    private static func word(_ text: String) -> Bool? { text.isEmpty ? true : nil }

    private static func shadow(_ text: String) -> ClipLook.Shadow? {
        text.isEmpty ? ClipLook.Shadow() : nil
    }

    private static func crop(_ text: String) -> ClipCrop? {
        let edges = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { Double($0).flatMap { (0..<1).contains($0) ? $0 : nil } }
        guard edges.count == 4, let left = edges[0], let top = edges[1], let right = edges[2],
            let bottom = edges[3], left + right < 1, top + bottom < 1
        else { return nil }
        return ClipCrop(left: left, top: top, right: right, bottom: bottom)
    }

    private static func mask(_ text: String) -> (FrameArea.Shape?, String?)? {
        if let shape = FrameArea.Shape(rawValue: text) { return (shape, nil) }
        // a word that is no file's name is a shape that is not known
        guard text.contains(where: { "./".contains($0) }) || access(text, F_OK) == 0 else {
            return nil
        }
        return (nil, text)
    }

    private static func border(_ text: String) -> ClipLook.Border? {
        if text.isEmpty { return ClipLook.Border() }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count < 3, let color = ValueKind<Color>.color.parse(parts[0]) else {
            return nil
        }
        guard parts.count == 2 else { return ClipLook.Border(color: color) }
        guard let width = Double(parts[1]), width > 0, width <= 0.5 else { return nil }
        return ClipLook.Border(width: width, color: color)
    }

    private static func screen(_ text: String) -> Color? {
        switch text {
        case "green": ChromaKey.green
        case "blue": ChromaKey.blue
        default: ValueKind<Color>.color.parse(text)
        }
    }

    private static func voices(_ text: String) -> [ClipVoice]? {
        if text == "none" { return [] }
        return ValueKind<[Int]>.trackNumbers.parse(text.replacing("/", with: ","))?
            .map { ClipVoice(track: $0) }
    }
}
