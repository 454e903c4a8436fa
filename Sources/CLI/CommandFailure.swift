import Media

/// Why a command ends without doing what was asked: an exit code and one sentence.
struct CommandFailure: Error, Sendable, Equatable, CustomStringConvertible {
    let code: ExitCode
    /// What was attempted, on what, what the system answered, what to do.
    let message: String
    /// What was made before, for the document of a program that asked for one: a key and its value.
    var made: Made?
    /// The file that was to be made, whose name another program has, and of which nothing was made.
    var taken: String?

    struct Made: Sendable, Equatable {
        let key: String
        let value: JSONValue
    }

    var description: String { message }

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
