import Compose

/// Names for a file that is to be made. Where they count, one that another program takes between its choice and the
/// making is gone past, as one that was there before.
struct OutputNames {
    private let output: OutputPath
    private let asked: String
    /// Of the dates in them (seconds since 1970).
    private let moment: Int
    /// Names that others have taken.
    private var taken: Set<String> = []

    /// So many names are gone past: more is no race.
    private static let most = 1000

    /// - Parameter moment: which dates are filled in, whenever the file is made (seconds since 1970).
    init(_ output: OutputPath, _ asked: String, at moment: Int = OutputPath.now) {
        (self.output, self.asked, self.moment) = (output, asked, moment)
    }

    /// Whether a file that is there is replaced: none is where names count, for it is another program's.
    var replacesExisting: Bool { output.replacesExisting && !output.counts(asked) }

    /// The first one that is free, ready to be made.
    func next() throws(CommandFailure) -> String {
        var output = output
        output.isTaken = { [isTaken = output.isTaken, taken] in taken.contains($0) || isTaken($0) }
        return try output.prepare(asked, at: moment)
    }

    /// - Throws: where a file is there that may not be written over: another kind of file, or one that is read.
    func requireReplaceable(_ path: String) throws(CommandFailure) {
        try output.requireReplaceable(path)
    }

    /// - Throws: what making the file failed on, where that is not that somebody else has its name, or where nobody may
    ///   give another one.
    mutating func goPast(_ path: String, after error: any Error) throws {
        // the first one of numbered pictures, before which nothing was made
        let first = NumberedPath(path)?.path(1) ?? path
        guard CommandFailure.from(error, while: .film).taken == first, output.counts(asked),
            taken.count < Self.most, taken.insert(path).inserted
        else { throw error }
    }

    /// Makes a file under the first name that nobody else takes.
    /// - Returns: that name, and what `make` returns.
    mutating func making<Result>(
        _ make: (String) throws -> Result
    ) throws -> (path: String, result: Result) {
        while true {
            let path = try next()
            do { return (path, try make(path)) } catch { try goPast(path, after: error) }
        }
    }
}
