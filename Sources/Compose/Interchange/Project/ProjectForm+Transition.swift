internal import Media

/// A transition's keys as an object: what its kind has no use for is not there.
struct LongTransition: Sendable {
    var kind = "dissolve"
    var duration = MediaTime.zero
    var direction: Transition.Direction?
    var softness: Double?
    var color: Color?
    /// Of an iris.
    var x: Double?
    var y: Double?
    /// Of a luma.
    var picture: String?
    var isInverted: Bool?
    var curve = TimingCurve.linear

    static let kinds = [
        "dissolve", "push", "wipe", "fade", "zoom", "zoom-out", "iris", "iris-close", "luma",
    ]

    init() {}

    /// One's own effects have no keys: what is left of them is a dissolve.
    init(_ transition: Transition) {
        (duration, curve) = (transition.duration, transition.curve)
        switch transition.kind {
        case .cut, .dissolve, .custom: break
        case .push(let way): (kind, direction) = ("push", way)
        case .wipe(let way, let width): (kind, direction, softness) = ("wipe", way, width)
        case .fade(let through): (kind, color) = ("fade", through)
        case .zoom(let zoom): kind = zoom.direction == .inward ? "zoom" : "zoom-out"
        case .iris(let iris):
            kind = iris.direction == .opening ? "iris" : "iris-close"
            softness = iris.softness
            if iris.center != Point(x: 0.5, y: 0.5) { (x, y) = (iris.center.x, iris.center.y) }
        case .luma(let luma):
            (kind, picture) = ("luma", luma.path)
            (softness, isInverted) = (luma.softness, luma.isInverted ? true : nil)
        }
    }

    /// The first key that it has and its kind has no use for.
    var idleKey: String? {
        let used: Set<String> =
            switch kind {
            case "push": ["direction"]
            case "wipe": ["direction", "softness"]
            case "fade": ["color"]
            case "iris", "iris-close": ["softness", "x", "y"]
            case "luma": ["softness", "picture", "invert"]
            default: []
            }
        let given = [
            ("direction", direction != nil), ("softness", softness != nil),
            ("color", color != nil), ("x", x != nil), ("y", y != nil),
            ("picture", picture != nil), ("invert", isInverted != nil),
        ]
        return given.first { $0.1 && !used.contains($0.0) }?.0
    }

    /// Nil: a luma without its picture.
    var transition: Transition? {
        let kind: Transition.Kind
        switch self.kind {
        case "push": kind = .push(direction ?? .left)
        case "wipe": kind = .wipe(direction ?? .left, softness: softness ?? 0.02)
        case "fade": kind = .fade(through: color ?? .black)
        case "zoom": kind = .zoom(ZoomTransition(.inward))
        case "zoom-out": kind = .zoom(ZoomTransition(.outward))
        case "iris", "iris-close":
            kind = .iris(
                IrisTransition(
                    self.kind == "iris" ? .opening : .closing, softness: softness ?? 0.02,
                    center: Point(x: x ?? 0.5, y: y ?? 0.5)))
        case "luma":
            guard let picture else { return nil }
            kind = .luma(
                LumaTransition(picture, softness: softness ?? 0.1, isInverted: isInverted ?? false))
        default: kind = .dissolve
        }
        return Transition(kind, duration: duration, curve: curve)
    }
}

extension ProjectForm<Transition> {
    static var transition: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a transition such as \"cut\", \"dissolve:1s\", \"push-left:1s\", "
                + "\"wipe-up:500ms\", \"fade-white:1s\", \"zoom:1s\", \"iris:1s:ease-in\" or "
                + "\"luma-clouds.png:1s\"", pattern: SchemaPattern.transition)
        let word = ProjectForm(phrase) { node, _, reader throws(JSONFailure) in
            let read = node.text.flatMap { Transition(projectText: $0) }
            return try read?.replacingImagePaths { path throws(JSONFailure) in
                try reader.resolve(path, node.position)
            }
        } writes: { transition, writer in
            .string(transition.replacingImagePaths(writer.relative).projectText ?? "")
        }
        let keys = ProjectForm<LongTransition>.record(ProjectTables.transition)
        let object = ProjectForm(keys.kind) { node, what, reader throws(JSONFailure) in
            let long = try keys.read(node, what, &reader)
            if let key = long.idleKey {
                throw JSONFailure(
                    position: node[key]?.position ?? node.position,
                    message:
                        "a transition of the kind \"\(long.kind)\" has no use for \"\(key)\": leave it out"
                )
            }
            guard let transition = long.transition else {
                throw JSONFailure(
                    position: node.position,
                    message: "a transition of the kind \"luma\" needs \"picture\"")
            }
            return transition
        } writes: { transition, writer in
            keys.write(LongTransition(transition), writer)
        }
        return .short(word, or: object) { $0.projectText != nil }
    }
}
