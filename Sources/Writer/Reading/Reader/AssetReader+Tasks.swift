public import Media

// For tasks: what blocks, on a thread of its own.

extension AssetReader {
    /// As `start()`, on a thread of its own. `samples(of:)` does it by itself.
    public func startReading() async throws(MediaError) {
        try await NamedThread.run("vcap-read") { () throws(MediaError) in try self.start() }
    }

    /// As `cancel()`, which waits for the sample that is being made, on a thread of its own.
    public func cancelReading() async {
        await NamedThread.run("vcap-read") { self.cancel() }
    }
}

extension AssetReaderOutput {
    /// As `next()`, on a thread of its own for each sample; for more than a few of them `AssetReader.samples(of:)`
    /// has one thread.
    public func nextSample() async throws(MediaError) -> SampleBuffer? {
        try await NamedThread.run("vcap-read") { () throws(MediaError) in try self.next() }
    }
}
