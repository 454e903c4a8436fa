import FoundationEssentials
import Media

/// One run of the program: from the words typed to the exit code.
enum Invocation {
    /// What is to be run, decided before any thread starts.
    struct Work: Sendable {
        let command: Command
        let arguments: Arguments
    }

    /// Runs the words typed and says what went wrong.
    ///
    /// The main thread waits here and not in `await`: libdispatch's main loop (5.x to 6.3 on Linux)
    /// suspends it with every signal unblocked, so that signals meant for the listener would kill.
    static func runToEnd(_ typed: Result<[String], CommandFailure>) -> ExitCode {
        // looks at the descriptors before anything is opened
        let console = Console.shared
        let code = run(typed)
        let isWritten = console.conclude()
        return code == .done && !isWritten ? .ioError : code
    }

    private static func run(_ typed: Result<[String], CommandFailure>) -> ExitCode {
        var use = CommandFailure.Use.reading
        var writesJSON = false
        do {
            let words = try typed.get()
            // before the configuration is read: a recorder that is asked to stop or to pause in its first
            // moments must not die of it
            let command = CommandTable.known(words.first)
            if let command, command.handlesSignals || command.endsBySignal {
                SignalListener.block()
            }
            if command?.name == Verbs.prepareFilm.name { FilmProcess.yieldToOthers() }
            guard let work = try prepare(words) else { return .done }
            use = work.command.use
            writesJSON = work.arguments.writesJSON
            if work.command.handlesSignals { Console.shared.writeAside() }
            let outcome = BlockingLock<Result<ExitCode, any Error>?>(nil)
            Task.detached {
                let result: Result<ExitCode, any Error>
                do { result = .success(try await work.command.run(work.arguments)) } catch {
                    result = .failure(error)
                }
                outcome.withLock { $0 = result }
            }
            return try outcome.wait { $0 }.get()
        } catch {
            let failure = CommandFailure.from(error, while: use)
            Console.shared.error(failure.message)
            if let document = FailureDocument(
                failure, after: (try? typed.get()) ?? TypedWords.roughly, isWanted: writesJSON)
            {
                Console.shared.result(document.text)
            }
            return failure.code
        }
    }

    /// Reads the command line and the configuration. `nil` when it was answered already.
    static func prepare(_ words: [String]) throws(CommandFailure) -> Work? {
        guard let first = words.first else {
            throw CommandFailure(.usage, "a verb is missing; see vcap help")
        }
        let verbs = ["--help": "help", "-h": "help", "--version": "version"]
        let command = try CommandTable.command(named: verbs[first] ?? first)
        let (own, then) = FollowingVerb.split(Array(words.dropFirst()), of: command)
        var arguments = try ArgumentParser.parse(own, as: command)
        let following = try then.map { words throws(CommandFailure) in
            try FollowingVerb.parse(words)
        }
        if arguments.isOn(Command.help) {
            Console.shared.result(HelpText.verb(command))
            return nil
        }
        let environment = ProcessInfo.processInfo.environment
        // what explains the program works with a broken configuration too
        if ["help", "completions", "version"].contains(command.name) {
            return Work(command: command, arguments: arguments)
        }
        var configuration = Configuration(CommandTable.commands)
        try configuration.load(UserFolders(environment: environment).configFiles)
        try configuration.apply(to: &arguments, of: command, environment: environment)
        if var following {
            try configuration.apply(
                to: &following, of: Verbs.composeTake, environment: environment)
            arguments.following = [following]
            arguments.followingWords = then ?? []
        }
        if command.name == Verbs.prepareFilm.name {
            // the take has the word until it is whole
            Console.shared.configure(limit: .error, writesJSON: false)
            return Work(command: command, arguments: arguments)
        }
        try configureConsole(arguments)
        for option in arguments.overridden + arguments.following.flatMap(\.overridden) {
            Console.shared.notice(option.note)
        }
        return Work(command: command, arguments: arguments)
    }

    /// From now on messages are as they were asked for.
    static func letSpeak(_ arguments: Arguments) {
        // they were read when the take began
        try? configureConsole(arguments)
    }

    private static func configureConsole(_ arguments: Arguments) throws(CommandFailure) {
        let verbosity = arguments.count(StandardOptions.verbose)
        let level: Console.Level =
            if arguments.isOn(StandardOptions.quiet) { .error } else {
                verbosity == 0 ? .notice : verbosity == 1 ? .detail : .debug
            }
        let format = try arguments(StandardOptions.logFormat)
        Console.shared.configure(limit: level, writesJSON: format == "json")
        if arguments.writesJSON { Console.shared.requireOutput() }
    }
}
