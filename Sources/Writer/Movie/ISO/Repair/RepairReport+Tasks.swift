public import Media

extension RepairReport {
    /// Repairs a movie on a thread of its own: `MovieRepair.repair(_:)` for tasks.
    /// - Parameter path: the movie's.
    /// - Throws: as `MovieRepair.repair(_:)`.
    public init(repairing path: String) async throws(MediaError) {
        self = try await NamedThread.run("vcap-repair") { () throws(MediaError) in
            try MovieRepair.repair(path)
        }
    }
}
