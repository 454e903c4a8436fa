internal import Media

/// Generators as OpenTimelineIO refers to them: a kind, and parameters, for which it has no words of its own but
/// "SMPTEBars" and "black".
enum OTIOGenerator {
    /// Kinds of vcap's own, and by them what a project calls its kinds.
    private static let kinds = [
        ("SolidColor", "color"), ("Gradient", "gradient"), ("Bars", "bars"),
        ("Counter", "counter"),
    ]

    /// Whether other programs know it.
    static func isUsual(_ generator: Generator) -> Bool {
        generator == .bars(.smpte) || generator == .color(.black)
    }

    static func members(
        _ generator: Generator, _ writer: ProjectWriter
    ) -> [(String, JSONValue)] {
        let kind: String
        switch generator {
        case .bars(.smpte): kind = "SMPTEBars"
        case .color(.black): kind = "black"
        default: kind = kinds.first { $0.1 == generator.word }?.0 ?? generator.word
        }
        let keys = ProjectTables.generator.write(LongGenerator(generator), writer)
        let parameters = (keys.members ?? []).filter { $0.key != "kind" }
        return [
            ("metadata", .object([])), ("available_range", .null),
            ("generator_kind", .string(kind)),
            ("parameters", .object(parameters.map { ($0.key, $0.value) })),
        ]
    }

    /// What a reference means; nil: it is none of a generator that vcap has.
    static func generator(
        _ reference: JSONValue, _ resolve: @escaping ProjectReader.Resolve
    ) throws(JSONFailure) -> Generator? {
        let kind = reference["generator_kind"]?.text ?? ""
        switch kind.lowercased() {
        case "smptebars", "colorbars": return .bars(.smpte)
        case "black": return .color(.black)
        default: break
        }
        guard let own = kinds.first(where: { $0.0.lowercased() == kind.lowercased() })?.1 else {
            return nil
        }
        var long = LongGenerator()
        long.kind = own
        var reader = ProjectReader(resolve: resolve)
        if let parameters = reference["parameters"], parameters.members != nil {
            try ProjectTables.generator.read(
                parameters,
                only: ["color", "colors", "angle", "shape", "standard", "direction", "from"],
                into: &long, &reader)
        }
        return long.idleKey == nil && long.missingKey == nil ? long.generator : nil
    }
}

extension OTIOReader {
    /// A clip that is generated; nil: its reference is to something else.
    mutating func generated(_ node: JSONValue, _ name: String) throws(JSONFailure) -> VideoItem? {
        guard let reference = reference(of: node), schema(reference) == "GeneratorReference",
            let generator = try OTIOGenerator.generator(reference, resolve)
        else { return nil }
        let own = name == generator.projectText || name.isEmpty ? nil : name
        return VideoItem(generator, name: own)
    }

    /// Generated clips begin at their beginning: what the file leaves out there moves what a counter counts from.
    mutating func settleGenerators() {
        for index in timeline.videos.indices { timeline.videos[index].settleGenerator() }
        for track in timeline.overlays.indices {
            for index in timeline.overlays[track].videos.indices {
                timeline.overlays[track].videos[index].settleGenerator()
            }
        }
    }
}

extension VideoItem {
    fileprivate mutating func settleGenerator() {
        guard generator != nil, start != .zero else { return }
        let shift = start
        start = .zero
        end = end.map {
            (try? $0.adding(-shift)) ?? .timeline($0.timelineTicks - shift.timelineTicks)
        }
        guard case .counter(var counter) = generator, let from = counter.from else { return }
        let moved = from.timelineTicks + (counter.direction == .up ? 1 : -1) * shift.timelineTicks
        counter.from = .timeline(max(0, moved))
        generator = .counter(counter)
    }
}
