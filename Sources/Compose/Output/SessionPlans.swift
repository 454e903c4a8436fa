public import Media
public import Movie

// For tasks: plans, which read the sources' structure, made on a thread of its own.

extension ExportSession {
    /// As `plan(for:)`, on a thread of its own.
    /// - Parameter container: kind of file to be written (nil: not known yet, and not checked).
    public func makePlan(
        for container: OutputContainer? = nil
    ) async throws(MediaError) -> ExportPlan {
        try await NamedThread.run("vcap-plan") { () throws(MediaError) in
            try self.plan(for: container)
        }
    }
}

extension ConversionSession {
    /// As `plan(for:)`, on a thread of its own.
    public func makePlan(
        for container: OutputContainer
    ) async throws(MediaError) -> ConversionPlan {
        try await NamedThread.run("vcap-plan") { () throws(MediaError) in
            try self.plan(for: container)
        }
    }

    /// As `plan(for:)` of frames, on a thread of its own.
    public func makePlan(for output: PictureOutput) async throws(MediaError) -> PictureOutputPlan {
        try await NamedThread.run("vcap-plan") { () throws(MediaError) in
            try self.plan(for: output)
        }
    }
}
