import Compose
import Detect
import Media

/// What `--filter` asks for.
enum WantedFilter: Sendable, Equatable {
    case mosaicFaces
    /// The picture's file.
    case sticker(String)
    case matte(WantedMatte)
}

/// What says what a frame's foreground is.
enum WantedMatte: Sendable, Equatable {
    case motion
    /// What is foreground (metres).
    case depth(ClosedRange<Double>)
    /// The model's file.
    case model(String, ModelMatte.Settings)
}

/// What `--behind` asks for.
enum WantedBehind: Sendable, Equatable {
    case blur
    case color(Color)
    /// A picture's file.
    case image(String)
    case title(String)
}

extension ValueKind where Value == WantedFilter {
    /// `mosaic-faces`, `sticker=mask.png`, `matte=motion`, `matte=depth:0.5m..1.5m`.
    static var filter: ValueKind {
        ValueKind(
            "FILTER",
            expected:
                "mosaic-faces, sticker=FILE, matte=motion, matte=model:FILE.onnx or matte=depth:NEAR..FAR such as "
                + "matte=depth:0.5m..1.5m",
            completion: .words([
                "mosaic-faces", "sticker=", "matte=motion", "matte=depth:", "matte=model:",
            ])
        ) { text in
            if text == "mosaic-faces" { return .mosaicFaces }
            if let file = text.rest(behind: "sticker=") { return .sticker(file) }
            guard let matte = text.rest(behind: "matte=") else { return nil }
            if matte == "motion" { return .matte(.motion) }
            if let words = matte.rest(behind: "model:") { return model(words).map { .matte($0) } }
            guard let depth = matte.rest(behind: "depth:"), let range = distances(depth) else {
                return nil
            }
            return .matte(.depth(range))
        }
    }

    /// `FILE.onnx`, `FILE.onnx,size=320x320,class=15,colors=imagenet`.
    private static func model(_ text: String) -> WantedMatte? {
        var words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var settings = ModelMatte.Settings()
        var given: Set<Substring> = []
        // a name may hold commas of its own
        while let word = words.last, words.count > 1 {
            if let size = word.rest(behind: "size=") {
                guard let parsed = ValueKind<PictureSize>.size.parse(size) else { return nil }
                settings.size = PixelSize(parsed.width, parsed.height)
            } else if let number = word.rest(behind: "class=") {
                guard let parsed = Int(number), (0..<1024).contains(parsed) else { return nil }
                settings.foregroundClass = parsed
            } else if let colors = word.rest(behind: "colors=") {
                guard let parsed = ModelMatte.Settings.Normalization(rawValue: colors) else {
                    return nil
                }
                settings.normalization = parsed
            } else {
                break
            }
            guard given.insert(word.prefix { $0 != "=" }).inserted else { return nil }
            words.removeLast()
        }
        return words == [""] ? nil : .model(words.joined(separator: ","), settings)
    }

    private static func distances(_ text: String) -> ClosedRange<Double>? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        guard let near = DepthWords.metres(String(text[..<dots.lowerBound])),
            let far = DepthWords.metres(String(text[dots.upperBound...])), near < far
        else { return nil }
        return near...far
    }
}

extension ValueKind where Value == WantedBehind {
    /// `blur`, a colour, `title:TEXT` or a picture's file.
    static var behind: ValueKind {
        let color = ValueKind<Color>.color
        return ValueKind(
            "WHAT",
            expected: "blur, a colour such as white or #ff8800, title:TEXT or a picture's file",
            completion: .words(["blur", "title:", "white", "black"])
        ) { text in
            if text == "blur" { return .blur }
            if let known = color.parse(text) { return .color(known) }
            if let title = text.rest(behind: "title:") { return .title(title) }
            return text.isEmpty || text == "title:" || text.hasPrefix("#") ? nil : .image(text)
        }
    }
}

extension String {
    /// What follows a beginning; `nil` where it begins otherwise, or nothing follows.
    fileprivate func rest(behind beginning: String) -> String? {
        guard hasPrefix(beginning), count > beginning.count else { return nil }
        return String(dropFirst(beginning.count))
    }
}
