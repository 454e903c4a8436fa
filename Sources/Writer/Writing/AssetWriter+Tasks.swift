public import Media

extension AssetWriter {
    /// As `start()`, which opens the encoders and creates the file, on a thread of its own. After it `startSession`
    /// does not block.
    public func startWriting() async throws(MediaError) {
        try await NamedThread.run("vcap-start") { () throws(MediaError) in try self.start() }
    }
}
