public import Media

// For tasks: what blocks, on a thread of its own.

extension TakeReport {
    /// Closes the report of a take that a crash cut off, on a thread of its own: `CrashedTake.closeReport(of:)` for
    /// tasks.
    /// - Parameter movie: its path.
    /// - Returns: nil when there was nothing to close.
    /// - Throws: as `CrashedTake.closeReport(of:)`.
    public init?(closingReportOf movie: String) async throws(MediaError) {
        let closed = try await NamedThread.run("vcap-repair") { () throws(MediaError) in
            try CrashedTake.closeReport(of: movie)
        }
        guard let closed else { return nil }
        self = closed
    }

    /// As above, of a movie in which nothing is that could be read: `CrashedTake.closeReport(ofEmpty:)` for tasks.
    /// - Parameter movie: its path.
    public init?(closingReportOfEmpty movie: String) async throws(MediaError) {
        let closed = try await NamedThread.run("vcap-repair") { () throws(MediaError) in
            try CrashedTake.closeReport(ofEmpty: movie)
        }
        guard let closed else { return nil }
        self = closed
    }
}

extension Recorder {
    /// As `start()`, which opens encoders and creates the file, on a thread of its own.
    public func startRecording() async throws(MediaError) {
        try await NamedThread.run("vcap-start") { () throws(MediaError) in try self.start() }
    }
}
