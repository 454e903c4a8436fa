/// One verb of the table: yields its parsing, its help and its completions.
struct Command: Sendable {
    struct Group: Sendable {
        let title: String
        let options: [OptionSpec]
    }

    struct Example: Sendable {
        let line: String
        let meaning: String
    }

    /// What comes after the options.
    struct Operands: Sendable {
        /// As the synopsis shows it; empty when there are none.
        let synopsis: String
        let count: ClosedRange<Int>
        let completion: Completion

        static let none = Operands(synopsis: "", count: 0...0, completion: .none)
    }

    let name: String
    let summary: String
    let operands: Operands
    let groups: [Group]
    /// Paragraphs after the options.
    let notes: String
    let examples: [Example]
    /// Whether the verb takes signals itself; they are then blocked before any thread starts.
    let handlesSignals: Bool
    /// Whether a signal ends what the verb does, and not the verb: it is then blocked in the same way, but what is
    /// printed waits for its reader.
    let endsBySignal: Bool
    /// What its failures are failures of.
    let use: CommandFailure.Use
    let run: @Sendable (Arguments) async throws -> ExitCode

    init(
        _ name: String, _ summary: String, operands: Operands = .none, groups: [Group] = [],
        notes: String = "", examples: [Example], handlesSignals: Bool = false,
        endsBySignal: Bool = false, use: CommandFailure.Use = .reading,
        run: @escaping @Sendable (Arguments) async throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.groups = groups + [Group(title: "Help", options: [Command.help.spec])]
        self.notes = notes
        self.examples = examples
        self.handlesSignals = handlesSignals
        self.endsBySignal = endsBySignal
        self.use = use
        self.run = run
    }

    static let help = Switch("h", "help", "show this text and stop")

    var options: [OptionSpec] { groups.flatMap(\.options) }

    func option(long: String) -> OptionSpec? { options.first { $0.long == long } }

    func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }
}
