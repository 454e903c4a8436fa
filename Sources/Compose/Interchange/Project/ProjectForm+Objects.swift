internal import Media

// MARK: - Values made of others

extension ProjectForm {
    /// The same text for another type.
    /// - Parameter read: nil: the value is none of these.
    func map<Other: Sendable>(
        _ read: @escaping @Sendable (Value) -> Other?, back: @escaping @Sendable (Other) -> Value
    ) -> ProjectForm<Other> {
        ProjectForm<Other>(kind) { node, what, reader throws(JSONFailure) in
            read(try self.read(node, what, &reader))
        } writes: { other, writer in
            write(back(other), writer)
        }
    }

    /// An object.
    static func record(_ table: ProjectTable<Value>) -> ProjectForm {
        ProjectForm(.record(table.shape)) { node, _, reader throws(JSONFailure) in
            node.members == nil ? nil : try table.read(node, &reader)
        } writes: { value, writer in
            table.write(value, writer)
        }
    }

    /// An object, or for short what its first key holds.
    static func item(_ table: ProjectTable<Value>) -> ProjectForm {
        let main = table.fields[0]
        return ProjectForm(.short(main.key.kind, table.shape)) {
            node, what, reader throws(JSONFailure) in
            switch node.content {
            case .object: return try table.read(node, &reader)
            case .string, .number:
                var item = table.usual
                try main.read(node, what, &item, &reader)
                return item
            default: return nil
            }
        } writes: { value, writer in
            table.write(value, writer)
        }
    }

    /// A word for short, or an object that says all.
    /// - Parameter isShort: whether the word says it.
    static func short(
        _ form: ProjectForm<Value>, or table: ProjectForm<Value>,
        isShort: @escaping @Sendable (Value) -> Bool
    ) -> ProjectForm {
        guard case .record(let shape) = table.kind else { return form }
        return ProjectForm(.short(form.kind, shape)) { node, what, reader throws(JSONFailure) in
            switch node.content {
            case .object: try table.read(node, what, &reader)
            case .string, .number: try form.read(node, what, &reader)
            default: nil
            }
        } writes: { value, writer in
            isShort(value) ? form.write(value, writer) : table.write(value, writer)
        }
    }

    /// At most 10,000 of them.
    /// - Parameter note: is said of each element and where it stands.
    static func list<Element: Sendable>(
        _ form: ProjectForm<Element>,
        note: @escaping @Sendable (Int, Element, JSONValue, inout [String: TextPosition]) -> Void =
            { _, _, _, _ in }
    ) -> ProjectForm where Value == [Element] {
        ProjectForm(.list(form.kind, most: ProjectKind.mostElements)) {
            node, what, reader throws(JSONFailure) in
            guard let nodes = node.elements else { return nil }
            let elements = try form.elements(nodes, what, node.position, &reader)
            for (index, node) in nodes.enumerated() {
                note(index, elements[index], node, &reader.places)
            }
            return elements
        } writes: { elements, writer in
            .array(elements.map { form.write($0, writer) })
        }
    }

    /// One, or a list of at most 10,000.
    static func several<Element: Sendable>(
        _ form: ProjectForm<Element>
    ) -> ProjectForm where Value == [Element] {
        ProjectForm(.several(form.kind, most: ProjectKind.mostElements)) {
            node, what, reader throws(JSONFailure) in
            guard let nodes = node.elements else { return [try form.read(node, what, &reader)] }
            return try form.elements(nodes, what, node.position, &reader)
        } writes: { elements, writer in
            elements.count == 1
                ? form.write(elements[0], writer) : .array(elements.map { form.write($0, writer) })
        }
    }

    private func elements(
        _ nodes: [JSONValue], _ what: String, _ position: TextPosition,
        _ reader: inout ProjectReader
    ) throws(JSONFailure) -> [Value] {
        let most = ProjectKind.mostElements
        guard nodes.count <= most else {
            throw JSONFailure(
                position: position,
                message: "\(what) has \(nodes.count) elements; at most \(most) are possible")
        }
        var elements: [Value] = []
        for (index, node) in nodes.enumerated() {
            elements.append(try read(node, "\(what)[\(index)]", &reader))
        }
        return elements
    }
}
