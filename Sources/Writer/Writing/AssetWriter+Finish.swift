public import Media
package import Movie

extension AssetWriter {
    /// Encodes and writes what waits, and closes the movie.
    /// - Throws: the failure that ended writing (what was written before it is playable), or
    ///   `invalidState` when there was no session.
    public func finish() async throws(MediaError) -> AssetWriterResult {
        let result = try await close()
        if let failure = result.failure { throw failure }
        return result
    }

    /// As `finish`, but a failure is a part of the result.
    /// - Throws: `invalidState` when there was no session.
    package func close() async throws(MediaError) -> AssetWriterResult {
        let (pipeline, end) = try state.withLock { state throws(MediaError) in
            guard state.phase == .session, let pipeline = state.pipeline else {
                throw .state("finish the movie", "no session is running.")
            }
            state.phase = .finishing
            state.gate?.finish()
            route(&state)
            state.movieEnd = movieEnd(state)
            for track in state.tracks.indices {
                endMetadata(track, before: state.movieEnd, &state)
            }
            return (pipeline, state.movieEnd)
        }
        pipeline.finish(at: .nanoseconds(end))
        await waitForEnd()
        return result(pipeline)
    }

    /// Ends at once and removes the file. Returns when nothing is left of it.
    public func cancel() async {
        let pipeline = state.withLock { state -> WritingPipeline? in
            guard state.phase != .ended, state.outcome == nil else { return nil }
            state.phase = .finishing
            return state.pipeline
        }
        guard let pipeline else {
            state.withLock { $0.phase = .ended }
            return
        }
        pipeline.cancel()
        await waitForEnd()
    }

    /// As `cancel`, but what is in the file stays: another program has cut it, and an index would point at
    /// what is not there.
    package func leave() async {
        let pipeline = state.withLock { state -> WritingPipeline? in
            guard state.phase != .ended, state.outcome == nil else { return nil }
            state.phase = .finishing
            return state.pipeline
        }
        guard let pipeline else { return }
        pipeline.leave()
        await waitForEnd()
    }

    /// The movie's file, once the writer has started.
    package var file: GrowingFile? { container.slot.file }

    /// The movie's end: the session's, the wanted length, or where the last sample ends.
    private func movieEnd(_ state: State) -> Int64 {
        guard let gate = state.gate?.gate else { return 0 }
        if gate.stop == nil, gate.phase == .paused, let cut = gate.cuts.last {
            return cut.movieTime
        }
        let limit = gate.limit ?? .max
        guard let end = gate.finalEnd else {
            return min(state.lastEnd, limit)
        }
        return min(gate.movieTime(of: end), limit)
    }

    private func waitForEnd() async {
        await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state -> Bool in
                if state.outcome != nil { return true }
                state.waiting.append(next)
                return false
            }
            if isOver { next.resume() }
        }
    }

    /// The file is closed (on the events' thread, after every event).
    func ended(_ outcome: WritingPipeline.Outcome) {
        if !configuration.keepsFile { file?.close() }
        let waiting = state.withLock { state in
            state.outcome = outcome
            state.phase = .ended
            defer { state.waiting = [] }
            return state.waiting
        }
        for next in waiting { next.resume() }
    }

    private func result(_ pipeline: WritingPipeline) -> AssetWriterResult {
        let status = status
        return state.withLock { state in
            var bytes = status.bytesWritten
            if case .finished(let summary) = state.outcome { bytes = summary.fileBytes }
            let tracks = pipeline.tracks.enumerated().map { index, track in
                AssetWriterResult.Track(
                    format: track.encoder.format, encoderFingerprint: track.encoder.fingerprint,
                    counts: status.tracks[index])
            }
            return AssetWriterResult(
                path: configuration.outputPath, duration: .nanoseconds(state.movieEnd),
                byteCount: bytes, tracks: tracks, pauses: state.pauses, markers: state.markers,
                failure: pipeline.failure)
        }
    }
}
