internal import Media

extension ProjectKind {
    /// Brings a value to what the key can hold.
    /// - Parameter what: the key, for messages.
    func read(_ node: JSON5Node, _ what: String) throws(JSON5Failure) -> ProjectEntry {
        if let value = try nested(node, what) ?? simple(node) {
            return ProjectEntry(position: node.position, value: value)
        }
        throw JSON5Failure(
            position: node.position, message: "\(what) must be \(expected)\(node.instead)")
    }

    private func nested(
        _ node: JSON5Node, _ what: String
    ) throws(JSON5Failure) -> ProjectValue? {
        switch (self, node.value) {
        case (.list(let kind, let most), .list(let nodes)):
            guard nodes.count <= most else {
                throw JSON5Failure(
                    position: node.position,
                    message: "\(what) has \(nodes.count) elements; at most \(most) are possible")
            }
            var entries: [ProjectEntry] = []
            for (index, element) in nodes.enumerated() {
                entries.append(try kind.read(element, "\(what)[\(index)]"))
            }
            return .list(entries)
        case (.record(let table), .record), (.short(_, let table), .record):
            return .record(try table.read(node))
        case (.short(let kind, let table), .text), (.short(let kind, let table), .number):
            let entry = try kind.read(node, what)
            if case .transition = entry.value { return entry.value }
            guard let main = table.keys.first(where: \.isRequired) else { return entry.value }
            return .record(ProjectRecord(position: node.position, entries: [main.name: entry]))
        default: return nil
        }
    }

    private func simple(_ node: JSON5Node) -> ProjectValue? {
        switch (self, node.value) {
        case (.flag, .flag(let flag)): return .flag(flag)
        case (.number(let range), .number(let text)):
            return Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case (.time, .number(let text)), (.time, .text(let text)):
            guard let time = MediaTime(projectText: text), time >= .zero,
                time <= Composition.longestDuration
            else { return nil }
            return .time(time)
        case (.length, .number), (.length, .text):
            guard case .time(let time) = ProjectKind.time.simple(node), time > .zero else {
                return nil
            }
            return .time(time)
        case (.rate, .number(let text)), (.rate, .text(let text)):
            guard let (value, per) = ProjectText.ratio(text) else { return nil }
            let rate = FrameRate(value, per: per)
            return (1...1000).contains(rate.approximate) ? .rate(rate) : nil
        case (.speed, .number(let text)), (.speed, .text(let text)):
            guard let (value, per) = ProjectText.ratio(text) else { return nil }
            let speed = Speed(value, per: per)
            return (0.01...100).contains(speed.approximate) ? .speed(speed) : nil
        case (.choice(let words), .number(let text)):
            return words.contains(text) ? .text(text) : nil
        case (_, .text(let text)): return word(text)
        default: return nil
        }
    }

    /// Whether a word of a choice is written without quotes.
    static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy(\.isDigit) }

    private func word(_ text: String) -> ProjectValue? {
        switch self {
        case .text(let most): text.count <= most ? .text(text) : nil
        case .path: text.isEmpty ? nil : .text(text)
        case .choice(let words):
            words.contains(text) && !ProjectKind.isNumber(text) ? .text(text) : nil
        case .size: ProjectText.size(text).map { .size($0) }
        case .color: Color(projectText: text).map { .color($0) }
        case .phrase(_, _, let reads): reads(text)
        default: nil
        }
    }
}

extension JSON5Node {
    /// For messages: ", not …".
    fileprivate var instead: String {
        switch value {
        case .text(let text): ", not \(JSON5Writer.quoted(String(text.prefix(40))))"
        case .number(let text): ", not \(text.prefix(40))"
        case .flag(let flag): ", not \(flag)"
        default: ", not \(kind)"
        }
    }
}

extension ProjectTable {
    func read(_ node: JSON5Node) throws(JSON5Failure) -> ProjectRecord {
        guard case .record(let members) = node.value else {
            throw JSON5Failure(
                position: node.position, message: "\(name) must be an object, not \(node.kind)")
        }
        var record = ProjectRecord(position: node.position, entries: [:])
        for member in members {
            guard let key = key(member.key) else { throw unknown(member) }
            record.entries[key.name] = try key.kind.read(member.value, "\"\(key.name)\"")
        }
        for key in keys where key.isRequired && record.entries[key.name] == nil {
            throw JSON5Failure(
                position: node.position, message: "\(name) needs \"\(key.name)\"")
        }
        return record
    }

    private func unknown(_ member: JSON5Node.Member) -> JSON5Failure {
        let word = String(member.key.prefix(40))
        let known = keys.map(\.name)
        let near = nearest(to: word.lowercased(), among: known.map { $0.lowercased() })
            .flatMap { near in known.first { $0.lowercased() == near } }
        let hint =
            near.map { "did you mean \"\($0)\"?" }
            ?? "it knows \(known.joined(separator: ", "))"
        return JSON5Failure(
            position: member.position,
            message: "\(name) has no key \(JSON5Writer.quoted(word)); \(hint)")
    }
}
