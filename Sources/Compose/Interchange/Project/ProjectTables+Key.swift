internal import Media

extension ProjectTables {
    static let key = ProjectTable<ChromaKey>(
        "a key", usual: ChromaKey(),
        [
            .value(
                "color", \.color, .screen, always: true,
                "the screen's; green and blue are those of usual screens (default green)"),
            .value(
                "tolerance", \.tolerance, .number(0...1),
                "how much darker or greyer than the screen vanishes all the same (default 0.4)"),
            .value(
                "softness", \.softness, .number(0...1),
                "how much further from the screen's colour stays whole; between the two it shows in part "
                    + "(default 0.4)"),
            .value(
                "spill", \.spill, .number(0...1),
                "how much of the screen's light is taken from what remains (default 1)"),
        ])
}

extension ProjectForm<Color> {
    /// A colour, of which two names are those of screens.
    static var screen: ProjectForm {
        ProjectForm(.color) { node in
            guard let text = node.text else { return nil }
            return ChromaKey.screens.first { $0.name == text }?.color ?? Color(projectText: text)
        } _: { color in
            .string(ChromaKey.screens.first { $0.color == color }?.name ?? color.projectText)
        }
    }
}

extension ProjectForm<ChromaKey> {
    /// A colour where nothing else is said.
    static var key: ProjectForm {
        let word = ProjectForm<Color>.screen.map {
            ChromaKey($0)
        } back: {
            $0.color
        }
        return .short(word, or: .record(ProjectTables.key)) { $0 == ChromaKey($0.color) }
    }
}
