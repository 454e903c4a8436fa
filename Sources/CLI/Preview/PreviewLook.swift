import Media
import Play

/// How a preview is shown, as keys change it.
struct PreviewLook: Sendable, Equatable {
    var isMirrored = false
    var isZoomed = false
    var overlays: PreviewOverlays = []
    var showsHelp = false

    /// What is on, in words; empty where it is the plain picture.
    var words: String {
        var words: [String] = []
        if isMirrored { words.append("mirrored") }
        if isZoomed { words.append("pixels") }
        if overlays.contains(.guides) { words.append("guides") }
        if overlays.contains(.peaking) { words.append("peaking") }
        if overlays.contains(.zebra) { words.append("zebra") }
        return words.joined(separator: ", ")
    }

    mutating func take(_ action: PreviewKeys.Action) {
        switch action {
        case .mirror: isMirrored.toggle()
        case .zoom: isZoomed.toggle()
        case .guides: overlays.formSymmetricDifference(.guides)
        case .peaking: overlays.formSymmetricDifference(.peaking)
        case .zebra: overlays.formSymmetricDifference(.zebra)
        case .view: break
        }
    }
}

/// The keys that change how a preview is shown: the first of each that nothing else has.
struct PreviewKeys: Sendable, Equatable {
    enum Action: CaseIterable, Sendable, Equatable {
        /// Closes and opens it, while recording.
        case view
        case mirror, zoom, guides, peaking, zebra

        fileprivate var candidates: String {
            switch self {
            case .view: "vwy"
            case .mirror: "mxr"
            case .zoom: "zny"
            case .guides: "gjt"
            case .peaking: "fkb"
            case .zebra: "eas"
            }
        }

        var words: String {
            switch self {
            case .view: "close or open the preview; the recording continues"
            case .mirror: "mirror the preview"
            case .zoom: "the camera's own pixels, of the middle, or the frame"
            case .guides: "guides at the thirds and in the middle"
            case .peaking: "focus peaking: sharp edges in red"
            case .zebra: "zebra: stripes where it is overexposed"
            }
        }
    }

    private(set) var keys: [(action: Action, key: Key)] = []

    /// - Parameters:
    ///   - actions: those that have a key.
    ///   - taken: keys that mean something else.
    init(_ actions: [Action] = Action.allCases, besides taken: Set<Key>) {
        var taken = taken
        for action in actions {
            let candidates = action.candidates.utf8.map { Key(byte: $0) }
            guard let key = candidates.first(where: { !taken.contains($0) }) else { continue }
            taken.insert(key)
            keys.append((action, key))
        }
    }

    func action(for key: Key) -> Action? { keys.first { $0.key == key }?.action }

    static func == (left: PreviewKeys, right: PreviewKeys) -> Bool {
        left.keys.map(\.action) == right.keys.map(\.action)
            && left.keys.map(\.key) == right.keys.map(\.key)
    }
}
