import Compose
import Media

/// The effects of `--effect`.
struct EffectWords {
    /// What they are called.
    static let names = ["blur", "mosaic"]

    let arguments: Arguments

    /// Those of a clip.
    /// - Parameter index: of the clip, as it is typed.
    func effects(of index: Int) throws(CommandFailure) -> [ClipEffect] {
        try all().filter { $0.clip ?? index == index }.map(\.effect)
    }

    /// - Parameter count: of the clips that are typed.
    /// - Throws: where one is for a clip that is not there.
    func check(clips count: Int) throws(CommandFailure) {
        for effect in try all() {
            guard let clip = effect.clip, clip >= count else { continue }
            throw CommandFailure(
                .usage,
                "--effect: it is for clip \(clip + 1), and there \(count == 1 ? "is one" : "are \(count)"); "
                    + "clips are counted from 1, as they are typed")
        }
    }

    /// - Parameter isDetecting: whether the take has a track of what is detected.
    /// - Throws: where one follows what the take will know nothing of.
    func check(isDetecting: Bool) throws(CommandFailure) {
        guard !isDetecting, let kind = try all().compactMap(\.effect.follow).first else { return }
        throw CommandFailure(
            .usage,
            "--effect with follow=\(kind.rawValue) covers what is detected during the take, and nothing is: give "
                + "--detect as well")
    }

    /// The picture files of their areas.
    func pictures() throws(CommandFailure) -> [String] {
        try all().compactMap(\.effect.area.picture)
    }

    private func all() throws(CommandFailure) -> [TypedEffect] {
        var effects: [TypedEffect] = []
        for value in try arguments.all(ComposeOptions.effect) {
            var typed = TypedEffect(
                effect: ClipEffect(value.word == "mosaic" ? AreaMosaic() : AreaBlur()))
            try TypedKey<TypedEffect>.read(value.keys, of: TypedEffect.keys, into: &typed) {
                CommandFailure(.usage, "--effect \(value.word): \($0)")
            }
            effects.append(typed)
        }
        return effects
    }
}

/// An effect, and of which clip.
private struct TypedEffect: HasArea {
    var effect: ClipEffect
    /// Nil: of each.
    var clip: Int?

    var area: FrameArea {
        get { effect.area }
        set { effect.area = newValue }
    }

    static let keys: [TypedKey<TypedEffect>] =
        [
            .share("size", 0.001...1) { size, typed in
                typed.effect.effect =
                    typed.effect.effect is AreaMosaic
                    ? AreaMosaic(size: size) : AreaBlur(size: size)
            },
            .init("clip", .integer("CLIP", in: 1...10_000)) { $1.clip = $0 - 1 },
            .init("at", .instant) { $1.effect.at = $0 },
            .init("duration", .duration) { $1.effect.duration = $0 },
            .init(
                "follow",
                expected: FollowedObject.allCases.map(\.rawValue).joined(separator: ", "),
                FollowedObject.init(rawValue:)
            ) { $1.effect.follow = $0 },
            .init(
                "shape",
                expected: FrameArea.Shape.allCases.map(\.rawValue).joined(separator: " or "),
                FrameArea.Shape.init(rawValue:)
            ) { $1.area.shape = $0 },
            .text("picture", "a picture file") { $1.area.picture = $0 },
        ] + areaKeys()
}

/// Something with an area of a clip's frames.
protocol HasArea: Sendable {
    var area: FrameArea { get set }
}

extension HasArea {
    /// What is said of an area, but for its shape and its picture.
    /// - Parameter prefix: of their names.
    static func areaKeys(prefix: String = "") -> [TypedKey<Self>] {
        func number(
            _ name: String, _ range: ClosedRange<Double>,
            _ put: @escaping @Sendable (Double, inout FrameArea) -> Void
        ) -> TypedKey<Self> {
            .share(prefix + name, range) { put($0, &$1.area) }
        }
        /// Of a shape, which is a rectangle where no other one is said.
        func shape(
            _ name: String, _ range: ClosedRange<Double>,
            _ put: @escaping @Sendable (Double, inout FrameArea) -> Void
        ) -> TypedKey<Self> {
            number(name, range) { value, area in
                area.shape = area.shape ?? .rectangle
                put(value, &area)
            }
        }
        return [
            shape("x", -4...4) { $1.x = $0 },
            shape("y", -4...4) { $1.y = $0 },
            shape("width", 0...4) { $1.width = $0 },
            shape("height", 0...4) { $1.height = $0 },
            number("rotation", -36_000...36_000) { $1.rotation = $0 },
            number("corner-radius", 0...0.5) { $1.cornerRadius = $0 },
            number("softness", 0...1) { $1.softness = $0 },
            number("above", 0...1) { $1.above = $0 },
            number("below", 0...1) { $1.below = $0 },
            number("luma-softness", 0...1) { $1.lumaSoftness = $0 },
            .word(prefix + "invert") { $0.area.isInverted = true },
        ]
    }
}

extension VideoItem: HasArea {
    /// Of its mask; what is given makes one.
    var area: FrameArea {
        get { mask?.area ?? FrameArea() }
        set { mask = ClipMask(newValue) }
    }
}
