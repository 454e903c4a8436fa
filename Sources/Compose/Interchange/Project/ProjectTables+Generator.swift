internal import Media

/// A generator's keys as an object: what its kind has no use for is not there.
struct LongGenerator: Sendable {
    var kind = "color"
    var color: Color?
    /// Of a gradient.
    var colors: [Color]?
    var angle: Double?
    var shape: Generator.Gradient.Shape?
    var bars: Generator.Bars?
    var direction: Generator.Counter.Direction?
    var from: MediaTime?

    init() {}

    init(_ generator: Generator) {
        kind = generator.word
        switch generator {
        case .color(let color): self.color = color
        case .gradient(let gradient):
            colors = gradient.colors
            if gradient.shape != .linear { shape = gradient.shape }
            if gradient.angle != 90 { angle = gradient.angle }
        case .bars(let bars):
            if bars != .smpte { self.bars = bars }
        case .counter(let counter):
            if counter.direction != .up { direction = counter.direction }
            from = counter.from
        }
    }

    /// The first key that it has and its kind has no use for.
    var idleKey: String? {
        let used: Set<String> =
            switch kind {
            case "color": ["color"]
            case "gradient": shape == .radial ? ["colors", "shape"] : ["colors", "shape", "angle"]
            case "bars": ["standard"]
            default: ["direction", "from"]
            }
        let given = [
            ("color", color != nil), ("colors", colors != nil), ("angle", angle != nil),
            ("shape", shape != nil), ("standard", bars != nil), ("direction", direction != nil),
            ("from", from != nil),
        ]
        return given.first { $0.1 && !used.contains($0.0) }?.0
    }

    /// A key that its kind needs and it does not have.
    var missingKey: String? {
        switch kind {
        case "color": color == nil ? "color" : nil
        case "gradient": colors == nil ? "colors" : nil
        default: nil
        }
    }

    /// - Precondition: no key is missing.
    var generator: Generator {
        switch kind {
        case "gradient":
            .gradient(
                Generator.Gradient(colors ?? [], angle: angle ?? 90, shape: shape ?? .linear))
        case "bars": .bars(bars ?? .smpte)
        case "counter": .counter(Generator.Counter(direction ?? .up, from: from))
        default: .color(color ?? .black)
        }
    }
}

extension ProjectTables {
    static let generator = ProjectTable<LongGenerator>(
        "a generator", usual: LongGenerator(),
        [
            .value(
                "kind", \.kind, .choice(of: Generator.words), required: true, "what it makes"),
            .optional("color", \.color, .color, "of a color, with its opacity"),
            .optional(
                "colors", \.colors, .list(.color),
                "of a gradient: 2 to 16, from the first to the last at equal distances"),
            .optional(
                "angle", \.angle, .number(-360...360),
                "where a linear gradient goes (degrees clockwise from the right; default 90, downwards)"
            ),
            .optional(
                "shape", \.shape, .choice,
                "of a gradient: linear from corner to corner, or radial from the middle to the corners "
                    + "(default linear)"),
            .optional(
                "standard", \.bars, .choice,
                "of bars: SMPTE RP 219 with a tone at -20 dB of full scale, or EBU's of 75 or 100 % with one "
                    + "at -18 dB (default smpte)"),
            .optional(
                "direction", \.direction, .choice, "which way a counter counts (default up)"),
            .optional(
                "from", \.from, .time,
                "of a counter: what its first frame shows (default 0; where it counts down the clip's length)"
            ),
        ])
}

extension ProjectForm<Generator> {
    static var generator: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a generator such as \"color:#336699\", \"gradient:white:#336699:45\", \"bars\", \"bars:ebu\", "
                + "\"counter\" or \"counter:down:10s\"", pattern: SchemaPattern.generator)
        let word = ProjectForm(phrase) { node in
            node.text.flatMap { Generator(projectText: $0) }
        } _: {
            .string($0.projectText)
        }
        let keys = ProjectForm<LongGenerator>.record(ProjectTables.generator)
        let object = ProjectForm(keys.kind) { node, what, reader throws(JSONFailure) in
            let long = try keys.read(node, what, &reader)
            let isRadial = long.kind == "gradient" && long.shape == .radial
            let kind = isRadial ? "a radial gradient" : "a generator of the kind \"\(long.kind)\""
            if let key = long.idleKey {
                throw JSONFailure(
                    position: node[key]?.position ?? node.position,
                    message: "\(kind) has no use for \"\(key)\": leave it out")
            }
            if let key = long.missingKey {
                throw JSONFailure(position: node.position, message: "\(kind) needs \"\(key)\"")
            }
            if let colors = long.colors, !(2...16).contains(colors.count) {
                throw JSONFailure(
                    position: node["colors"]?.position ?? node.position,
                    message: "\"colors\" has \(colors.count) of them; a gradient can have 2 to 16")
            }
            return long.generator
        } writes: { generator, writer in
            keys.write(LongGenerator(generator), writer)
        }
        return .short(word, or: object) { generator in
            if case .gradient = generator { return false }
            return Generator(projectText: generator.projectText) == generator
        }
    }
}
