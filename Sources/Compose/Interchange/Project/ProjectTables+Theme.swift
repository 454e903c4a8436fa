internal import Media

extension ProjectTables {
    static let theme = ProjectTable<TitleTheme>(
        "a theme", usual: .plain,
        [
            .readOnly(
                "like", .choice(of: TitleTheme.named.map(\.name)),
                "the theme that it is like where it says nothing (default plain)"
            ) { name, _, theme in
                theme = TitleTheme.named.first { $0.name == name }?.theme ?? theme
            },
            .value("font", \.family, .text(most: 200), "a family's name (default Sans)"),
            .optional(
                "headingFont", \.headingFamily, .text(most: 200),
                "a family's name, of large lines (default: the font)"),
            .value("color", \.color, .color, "of the letters (default white)"),
            .value("accent", \.accent, .color, "of lines, blocks and small words"),
            .value("ground", \.ground, .color, "of boxes and cards behind letters"),
        ])
}

extension ProjectForm<TitleTheme> {
    /// A theme's name, or its fonts and colours.
    static var theme: ProjectForm {
        let word = ProjectForm<String>.choice(of: TitleTheme.named.map(\.name)).map { name in
            TitleTheme.named.first { $0.name == name }?.theme
        } back: { theme in
            TitleTheme.named.first { $0.theme == theme }?.name ?? ""
        }
        return .short(word, or: .record(ProjectTables.theme)) { theme in
            TitleTheme.named.contains { $0.theme == theme }
        }
    }
}
