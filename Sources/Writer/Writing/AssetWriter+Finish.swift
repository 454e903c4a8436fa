public import Media
package import Movie

extension AssetWriter {
    /// Encodes and writes what waits, and closes the movie. A cancelled task waits for that too: `cancel` is what
    /// ends a writer at once.
    /// - Throws: `unsupported` when copied samples were appended to a track and none of them is in the movie; the failure that ended writing (what was written before it is playable), `ioError` when another
    ///   program deleted, moved or changed the file (the movie is saved where the message says), or `invalidState`
    ///   when there was no session.
    public func finish() async throws(MediaError) -> AssetWriterResult {
        let result = try await close()
        if let failure = result.failure { throw failure }
        return result
    }

    /// As `finish`, but a failure is a part of the result.
    /// - Throws: `invalidState` when there was no session.
    package func close() async throws(MediaError) -> AssetWriterResult {
        let (pipeline, end, endsInside) = try beginFinishing()
        guard let pipeline else { throw .state("finish the movie", "no session is running.") }
        pipeline.finish(at: .nanoseconds(end), cutsAll: endsInside)
        await waitForEnd()
        return result(pipeline)
    }

    /// Ends at once and removes the file. Returns when nothing is left of it.
    public func cancel() async {
        guard let pipeline = abandon() else { return giveUp() }
        pipeline.cancel()
        await waitForEnd()
    }

    /// As `cancel`, but what is in the file stays: another program has cut it, and an index would point at
    /// what is not there.
    package func leave() async {
        guard let pipeline = abandon() else { return }
        pipeline.leave()
        await waitForEnd()
    }

    /// Gives the file's lock back. A movie whose name another program took is given one first.
    /// - Returns: what happened to the file; `nil` where it is as it was written.
    func settleFile(_ outcome: WritingPipeline.Outcome) -> MediaError? {
        guard !configuration.keepsFile, let file else { return nil }
        defer { file.close() }
        guard configuration.rescuesFile, case .finished = outcome else { return nil }
        let fate = file.look()
        guard fate != .intact else { return nil }
        let path = configuration.outputPath
        var words = "Another program \(fate.deed(to: path)) while it was written: "
        if fate.isDamage {
            words += "a part of the movie is lost; vcap repair saves the rest."
        } else {
            do throws(MediaError) {
                words += "the movie is saved as \(try file.rescue(withRoomFor: ""))."
            } catch {
                words += "the movie is lost. \(error.message)"
            }
        }
        return MediaError(code: .ioError, subject: path, message: words)
    }

    /// The movie's file, once the writer has started.
    package var file: GrowingFile? { container.slot.file }
}
