import Media

extension Verbs {
    /// The program's version; the changelog says what is in it.
    static let versionNumber = "0.1.0"

    static let version = Command(
        "version", "print the version",
        groups: [.init(title: "Options", options: [StandardOptions.json.spec])],
        examples: [
            .init(line: "vcap version", meaning: "for people"),
            .init(line: "vcap version --json", meaning: "for programs"),
            .init(line: "vcap --version", meaning: "the same as vcap version"),
        ]
    ) { arguments in
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(
                JSONValue.members([
                    "schema": "vcap.version/1", "version": .string(versionNumber),
                ]).pretty + "\n")
        } else {
            Console.shared.result("vcap \(versionNumber)\n")
        }
        return .done
    }
}
