import Compose

/// Names for a file that is to be made. Where they count, one that another program takes between its choice and the
/// making is gone past, as one that was there before.
struct OutputNames {
    private let output: OutputPath
    private let asked: String
    /// Names that others have taken.
    private var taken: Set<String> = []

    /// So many names are gone past: more is no race.
    private static let most = 1000

    init(_ output: OutputPath, _ asked: String) { (self.output, self.asked) = (output, asked) }

    /// The first one that is free, ready to be made.
    func next() throws(CommandFailure) -> String {
        var output = output
        output.isTaken = { [isTaken = output.isTaken, taken] in taken.contains($0) || isTaken($0) }
        return try output.prepare(asked)
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
