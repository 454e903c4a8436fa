internal import Media

/// What a key can hold: how it is read, how it is written, and its sentence.
struct ProjectForm<Value: Sendable>: Sendable {
    let kind: ProjectKind
    /// Nil: the value is none of these.
    private let reads:
        @Sendable (JSONValue, String, inout ProjectReader) throws(JSONFailure) -> Value?
    private let writes: @Sendable (Value, ProjectWriter) -> JSONValue

    init(
        _ kind: ProjectKind,
        reads:
            @escaping @Sendable (JSONValue, String, inout ProjectReader) throws(JSONFailure)
            -> Value?,
        writes: @escaping @Sendable (Value, ProjectWriter) -> JSONValue
    ) {
        self.kind = kind
        self.reads = reads
        self.writes = writes
    }

    /// Of values that stand for themselves.
    init(
        _ kind: ProjectKind, _ reads: @escaping @Sendable (JSONValue) -> Value?,
        _ writes: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(
            kind, reads: { node, _, _ throws(JSONFailure) in reads(node) },
            writes: { value, _ in writes(value) })
    }

    /// - Parameter what: the key, for messages.
    func read(
        _ node: JSONValue, _ what: String, _ reader: inout ProjectReader
    ) throws(JSONFailure) -> Value {
        if let value = try reads(node, what, &reader) { return value }
        throw JSONFailure(
            position: node.position, message: "\(what) must be \(kind.expected)\(node.instead)")
    }

    func write(_ value: Value, _ writer: ProjectWriter) -> JSONValue { writes(value, writer) }
}

/// What reading a project needs, and what it finds out beside the timeline.
struct ProjectReader {
    typealias Resolve = (String, TextPosition) throws(JSONFailure) -> String

    /// Checks a path and makes it one that can be opened.
    let resolve: Resolve
    /// Where the items stand, by the names that messages give them.
    var places: [String: TextPosition] = [:]

    init(resolve: @escaping Resolve) {
        self.resolve = resolve
    }
}

/// What writing a project needs.
struct ProjectWriter {
    /// Makes a path one of the project's.
    let relative: (String) -> String
}

// MARK: - Simple values

extension ProjectForm<Bool> {
    static var flag: ProjectForm { ProjectForm(.flag, \.boolean) { .bool($0) } }
}

extension ProjectForm<String> {
    static func text(most: Int) -> ProjectForm {
        ProjectForm(.text(most: most)) { node in
            node.text.flatMap { $0.count <= most ? $0 : nil }
        } _: {
            .string($0)
        }
    }

    static var path: ProjectForm {
        ProjectForm(.path) { node, _, reader throws(JSONFailure) in
            guard let text = node.text, !text.isEmpty else { return nil }
            return try reader.resolve(text, node.position)
        } writes: { path, writer in
            .string(writer.relative(path))
        }
    }

    static func choice(of words: [String]) -> ProjectForm {
        ProjectForm(.choice(words)) { node in
            switch node.content {
            case .string(let text) where !ProjectKind.isNumber(text):
                words.contains(text) ? text : nil
            case .number(let text): words.contains(text) ? text : nil
            default: nil
            }
        } _: {
            ProjectKind.isNumber($0) ? .number(written: $0) : .string($0)
        }
    }
}

extension ProjectForm where Value: RawRepresentable<String> & CaseIterable {
    static var choice: ProjectForm {
        let words = ProjectForm<String>.choice(of: Value.allCases.map(\.rawValue))
        return words.map {
            Value(rawValue: $0)
        } back: {
            $0.rawValue
        }
    }
}

extension ProjectForm<[String]> {
    /// Names of variables, whose values fill a project's texts before they are read.
    static var variables: ProjectForm {
        ProjectForm(.texts) { node in
            guard let members = node.members, members.count <= ProjectVariables.most else {
                return nil
            }
            for member in members {
                guard !member.key.isEmpty, member.key.count <= ProjectVariables.longestName,
                    !member.key.contains(where: { "{}\n".contains($0) }),
                    TextPlaces.trimmed(member.key) == member.key
                else { return nil }
                switch member.value.content {
                case .string, .number, .null: continue
                default: return nil
                }
            }
            return members.map(\.key)
        } _: {
            .object($0.map { ($0, .string("")) })
        }
    }
}

extension ProjectForm<Double> {
    static func number(_ range: ClosedRange<Double>) -> ProjectForm {
        ProjectForm(.number(range)) { node in
            node.number.flatMap { range.contains($0) ? $0 : nil }
        } _: {
            .shortNumber($0)
        }
    }
}

extension ProjectForm<Int> {
    static func whole(_ range: ClosedRange<Int>) -> ProjectForm {
        ProjectForm(.whole(range)) { node in
            node.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        } _: {
            .integer($0)
        }
    }
}

extension ProjectForm<MediaTime> {
    static var time: ProjectForm { ProjectForm(.time, { $0.projectTime }, { .time($0) }) }

    static var length: ProjectForm {
        ProjectForm(.length) { node in
            node.projectTime.flatMap { $0 > .zero ? $0 : nil }
        } _: {
            .time($0)
        }
    }
}

extension ProjectForm<FrameRate> {
    static var rate: ProjectForm {
        ProjectForm(.rate) { node in
            guard let (value, per) = node.projectRatio else { return nil }
            let rate = FrameRate(value, per: per)
            return (1...1000).contains(rate.approximate) ? rate : nil
        } _: {
            .ratio($0.numerator, $0.denominator)
        }
    }
}

extension ProjectForm<Speed> {
    static var speed: ProjectForm {
        ProjectForm(.speed) { node in
            guard let (value, per) = node.projectRatio else { return nil }
            let speed = Speed(value, per: per)
            return (0.01...100).contains(speed.approximate) ? speed : nil
        } _: {
            .ratio($0.numerator, $0.denominator)
        }
    }
}

extension ProjectForm<PixelSize> {
    static var size: ProjectForm {
        ProjectForm(.size) {
            $0.text.flatMap(ProjectText.size)
        } _: {
            .string("\($0.width)x\($0.height)")
        }
    }
}

extension ProjectForm<Color> {
    static var color: ProjectForm {
        ProjectForm(.color) {
            $0.text.flatMap { Color(projectText: $0) }
        } _: {
            .string($0.projectText)
        }
    }
}

extension JSONValue {
    /// As it is written: a number, or a text.
    var word: String? {
        switch content {
        case .number(let text), .string(let text): text
        default: nil
        }
    }

    fileprivate var projectTime: MediaTime? {
        guard let word, let time = MediaTime(projectText: word), time >= .zero,
            time <= Composition.longestDuration
        else { return nil }
        return time
    }

    fileprivate var projectRatio: (Int32, Int32)? { word.flatMap { ProjectText.ratio($0) } }

    /// Seconds as a number where a decimal says all, else a rational.
    static func time(_ time: MediaTime) -> JSONValue {
        let text = time.projectText
        return text.contains("/") ? .string(text) : .number(written: text)
    }

    fileprivate static func ratio(_ value: Int32, _ per: Int32) -> JSONValue {
        .time(MediaTime(value: Int64(value), timescale: per))
    }

    /// For messages: ", not …".
    fileprivate var instead: String {
        switch content {
        case .string(let text): ", not \(JSONWriter.quoted(String(text.prefix(40))))"
        case .number(let text): ", not \(text.prefix(40))"
        case .bool(let flag): ", not \(flag)"
        default: ", not \(kind)"
        }
    }
}
