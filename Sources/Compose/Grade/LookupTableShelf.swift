internal import Media

/// Tables that were read, by file, so that a film of many clips reads each once. Reentrant.
enum LookupTableShelf {
    private static let most = 16
    private static let known = Lock<[(identity: String, table: LookupTable)]>([])

    /// - Throws: what `LookupTable.init(contentsOf:)` throws.
    static func table(_ path: String) throws(MediaError) -> LookupTable {
        let identity = ExportPlanner.identity(path)
        if let found = known.withLock({ $0.first { $0.identity == identity } }) {
            return found.table
        }
        let table = try LookupTable(contentsOf: path)
        known.withLock {
            $0.append((identity, table))
            if $0.count > most { $0.removeFirst() }
        }
        return table
    }
}
