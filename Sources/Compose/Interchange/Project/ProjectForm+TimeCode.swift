internal import Media

extension ProjectForm<TimeCodeText> {
    static var timeCode: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a time code such as \"10:00:00:00\", in drop frame \"10:00:00;00\"",
            pattern: SchemaPattern.timeCode)
        return ProjectForm(phrase) { node in
            node.text.flatMap { TimeCodeText($0) }
        } _: {
            .string($0.description)
        }
    }
}
