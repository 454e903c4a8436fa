import FoundationEssentials

/// One run of the program: from the words typed to the exit code.
enum Invocation {
    /// What is to be run, decided before any thread starts.
    struct Task: Sendable {
        let command: Command
        let arguments: Arguments
    }

    /// Reads the command line and the configuration. `nil` when it was answered already.
    static func prepare(_ words: [String]) throws(CommandFailure) -> Task? {
        guard let first = words.first else {
            throw CommandFailure(.usage, "a verb is missing; see vcap help")
        }
        let verbs = ["--help": "help", "-h": "help", "--version": "version"]
        let command = try CommandTable.command(named: verbs[first] ?? first)
        var arguments = try ArgumentParser.parse(Array(words.dropFirst()), as: command)
        if arguments.isOn(Command.help) {
            Console.shared.result(HelpText.verb(command))
            return nil
        }
        let environment = ProcessInfo.processInfo.environment
        // what explains the program works with a broken configuration too
        if ["help", "completions", "version"].contains(command.name) {
            return Task(command: command, arguments: arguments)
        }
        var configuration = Configuration(CommandTable.commands)
        try configuration.load(UserFolders(environment: environment).configFiles)
        try configuration.apply(to: &arguments, of: command, environment: environment)
        try configureConsole(arguments)
        return Task(command: command, arguments: arguments)
    }

    private static func configureConsole(_ arguments: Arguments) throws(CommandFailure) {
        let verbosity = arguments.count(StandardOptions.verbose)
        let level: Console.Level =
            if arguments.isOn(StandardOptions.quiet) { .error } else {
                verbosity == 0 ? .notice : verbosity == 1 ? .detail : .debug
            }
        let format = try arguments(StandardOptions.logFormat)
        Console.shared.configure(limit: level, writesJSON: format == "json")
    }
}
