internal import Media

/// One key of an object: where its value lies in the item, what it can hold, and its sentence. Reading,
/// writing, schema and guide are made from this, so that they cannot disagree.
struct ProjectField<Item: Sendable>: Sendable {
    let key: ProjectKey
    /// - Parameter what: for messages.
    let read:
        @Sendable (JSONValue, _ what: String, inout Item, inout ProjectReader) throws(JSONFailure)
            -> Void
    /// Nil: nothing is written.
    let write: @Sendable (Item, ProjectWriter) -> JSONValue?
    /// Whether it is written though its value is the usual one.
    let isAlwaysWritten: Bool

    private init(
        _ key: ProjectKey, isAlwaysWritten: Bool,
        read:
            @escaping @Sendable (JSONValue, String, inout Item, inout ProjectReader)
            throws(JSONFailure) -> Void,
        write: @escaping @Sendable (Item, ProjectWriter) -> JSONValue?
    ) {
        self.key = key
        self.read = read
        self.write = write
        self.isAlwaysWritten = isAlwaysWritten
    }

    typealias Place<Value> = any WritableKeyPath<Item, Value> & Sendable

    /// A value that has a usual one, which is left out; or one that has to be there.
    static func value<Value: Sendable>(
        _ name: String, _ place: Place<Value>, _ form: ProjectForm<Value>, required: Bool = false,
        always: Bool = false, _ about: String
    ) -> ProjectField {
        ProjectField(
            ProjectKey(name: name, kind: form.kind, isRequired: required, about: about),
            isAlwaysWritten: required || always,
            read: { node, what, item, reader throws(JSONFailure) in
                item[keyPath: place] = try form.read(node, what, &reader)
            }, write: { item, writer in form.write(item[keyPath: place], writer) })
    }

    /// A value that may be missing.
    static func optional<Value: Sendable>(
        _ name: String, _ place: Place<Value?>, _ form: ProjectForm<Value>, _ about: String
    ) -> ProjectField {
        ProjectField(
            ProjectKey(name: name, kind: form.kind, isRequired: false, about: about),
            isAlwaysWritten: true,
            read: { node, what, item, reader throws(JSONFailure) in
                item[keyPath: place] = try form.read(node, what, &reader)
            },
            write: { item, writer in item[keyPath: place].map { form.write($0, writer) } })
    }

    /// A value that is only read: another way of saying what other keys say.
    static func readOnly<Value: Sendable>(
        _ name: String, _ form: ProjectForm<Value>, _ about: String,
        _ use: @escaping @Sendable (Value, JSONValue, inout Item) throws(JSONFailure) -> Void
    ) -> ProjectField {
        ProjectField(
            ProjectKey(name: name, kind: form.kind, isRequired: false, about: about),
            isAlwaysWritten: false,
            read: { node, what, item, reader throws(JSONFailure) in
                try use(try form.read(node, what, &reader), node, &item)
            }, write: { _, _ in nil })
    }

    /// A word that is the same in every file.
    static func constant(_ name: String, _ word: String, _ about: String) -> ProjectField {
        let form = ProjectForm<String>.choice(of: [word])
        return ProjectField(
            ProjectKey(name: name, kind: form.kind, isRequired: false, about: about),
            isAlwaysWritten: true,
            read: { node, what, _, reader throws(JSONFailure) in
                _ = try form.read(node, what, &reader)
            }, write: { _, writer in form.write(word, writer) })
    }
}

/// The keys of one kind of object, in the order in which they are written.
struct ProjectTable<Item: Sendable>: Sendable {
    let name: String
    /// What keys that are not there stand for.
    let usual: Item
    let fields: [ProjectField<Item>]
    /// Two keys of which one at most can be there.
    let alternatives: [String]
    /// Keys of which one must be there, and no other.
    let oneNeeded: [String]
    /// Keys that mean something beside another one only, and that one.
    let dependent: [String: String]

    init(
        _ name: String, usual: Item, alternatives: [String] = [], oneNeeded: [String] = [],
        dependent: [String: String] = [:], _ fields: [ProjectField<Item>]
    ) {
        self.name = name
        self.usual = usual
        self.fields = fields
        self.alternatives = alternatives
        self.oneNeeded = oneNeeded
        self.dependent = dependent
    }

    var shape: ProjectShape {
        ProjectShape(
            name: name, keys: fields.map(\.key), alternatives: alternatives,
            oneNeeded: oneNeeded, dependent: dependent)
    }

    func read(_ node: JSONValue, _ reader: inout ProjectReader) throws(JSONFailure) -> Item {
        guard let members = node.members else {
            throw JSONFailure(
                position: node.position, message: "\(name) must be an object, not \(node.kind)")
        }
        let known = Set(fields.map(\.key.name))
        if let member = members.first(where: { !known.contains($0.key) }) { throw unknown(member) }
        for key in fields.map(\.key) where key.isRequired && node[key.name] == nil {
            throw JSONFailure(
                position: node.position, message: "\(name) needs \"\(key.name)\"")
        }
        let found = oneNeeded.compactMap { node[$0] }
        guard oneNeeded.isEmpty || found.count == 1 else {
            let names = oneNeeded.map { "\"\($0)\"" }.joined(separator: " or ")
            throw JSONFailure(
                position: found.dropFirst().first?.position ?? node.position,
                message: "\(name) needs \(found.isEmpty ? "" : "either ")\(names)")
        }
        for member in members {
            guard let other = dependent[member.key], node[other] == nil else { continue }
            throw JSONFailure(
                position: member.position,
                message: "\(name) has \"\(member.key)\" beside \"\(other)\" only")
        }
        var item = usual
        try read(node, into: &item, &reader)
        return item
    }

    /// Reads the keys that are there, others passed over.
    /// - Parameter names: nil: every key of the table.
    func read(
        _ node: JSONValue, only names: [String]? = nil, into item: inout Item,
        _ reader: inout ProjectReader
    ) throws(JSONFailure) {
        guard node.members != nil else {
            throw JSONFailure(position: node.position, message: "\(name) must be an object")
        }
        for field in fields where names?.contains(field.key.name) ?? true {
            guard let value = node[field.key.name] else { continue }
            try field.read(value, "\"\(field.key.name)\"", &item, &reader)
        }
    }

    /// What has its usual value is left out.
    func write(
        _ item: Item, only names: [String]? = nil, _ writer: ProjectWriter
    ) -> JSONValue {
        var members: [(String, JSONValue)] = []
        for field in fields where names?.contains(field.key.name) ?? true {
            guard let value = field.write(item, writer),
                field.isAlwaysWritten || value != field.write(usual, writer)
            else { continue }
            members.append((field.key.name, value))
        }
        return .object(members)
    }

    private func unknown(_ member: JSONValue.Member) -> JSONFailure {
        let word = String(member.key.prefix(40))
        let known = fields.map(\.key.name)
        let near = nearest(to: word.lowercased(), among: known.map { $0.lowercased() })
            .flatMap { near in known.first { $0.lowercased() == near } }
        let hint =
            near.map { "did you mean \"\($0)\"?" }
            ?? "it knows \(known.joined(separator: ", "))"
        return JSONFailure(
            position: member.position,
            message: "\(name) has no key \(JSONWriter.quoted(word)); \(hint)")
    }
}
