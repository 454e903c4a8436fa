internal import Media
internal import Movie
internal import Writing

/// A file that has been written and has not got its name yet.
struct OutputDraft: Sendable {
    let output: TemporaryOutput
    /// Whether its index is to lie in front of its samples.
    var isNetworkReady = false
    /// Whether an equal run can continue with what there is of it.
    var isResumable = false
    /// What an earlier run left; of no more use once the draft holds it.
    var earlier: EarlierPart?
    /// Still to be ended (nil: the file is closed).
    var writer: AssetWriter?
    /// Why writing ended before its time.
    var failure: MediaError?
    /// Frames in it (count).
    var frames: Int64 = 0
    /// Of those the ones that the writer did not take (count).
    private(set) var leftOutFrames: Int64 = 0
    /// Of the closed file (seconds, bytes).
    var duration = MediaTime.zero
    var bytes: Int64 = 0

    init(_ output: TemporaryOutput) { self.output = output }

    /// One sentence of frames that are not in it; nil: all are.
    var loss: String? {
        guard leftOutFrames > 0 else { return nil }
        return
            "\(leftOutFrames) of \(frames + leftOutFrames) frames are left out, because each begins "
            + "within the same tick of the file as the one before."
    }

    fileprivate mutating func take(_ result: AssetWriterResult) {
        (duration, bytes) = (result.duration, result.byteCount)
        for track in result.tracks where track.counts.mediaType == .video {
            leftOutFrames += Int64(track.counts.dropped[.outOfOrder] ?? 0)
        }
        frames -= leftOutFrames
    }

    /// Removes it, and what it was to take over.
    fileprivate func discard() {
        output.discard()
        earlier?.discard()
    }
}

extension OutputJob {
    /// Writes a file; nothing is left of it where that fails.
    func write<Result>(
        _ output: TemporaryOutput, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) { return try body() } catch {
            output.discard()
            throw output.named(error)
        }
    }

    /// Ends the writer and gives the file its name.
    /// - Returns: the draft as it became: its length and size.
    /// - Throws: why it was ended. A cancelled one that can be resumed stays under its temporary name,
    ///   of any other nothing is left.
    func finish(_ draft: OutputDraft) async throws(MediaError) -> OutputDraft {
        var draft = draft
        if let writer = draft.writer {
            draft.writer = nil
            if let failure = draft.failure { throw await end(draft, writer, failure) }
            do throws(MediaError) {
                draft.take(try await writer.finish())
            } catch {
                await remove(draft)
                throw draft.output.named(error)
            }
        }
        let closed = draft
        return try await block { [self] () throws(MediaError) in try publish(closed) }
    }

    /// Gives a closed file its name. Blocks.
    func publish(_ draft: OutputDraft) throws(MediaError) -> OutputDraft {
        var draft = draft
        draft.earlier?.discard()
        draft.earlier = nil
        do throws(MediaError) {
            try checkCancelled(
                draft.output.path, leaving: draft.isResumable ? .part : .nothing)
            try draft.output.checkPlace()
            if draft.isNetworkReady { draft.bytes = try draft.output.putIndexInFront() }
        } catch {
            // the film itself is whole, and an equal run can continue from it
            if !draft.isResumable { draft.output.discard() }
            throw draft.output.named(error)
        }
        try draft.output.complete()
        reportWhole(frames: draft.frames, bytes: draft.bytes)
        return draft
    }

    /// What was cancelled keeps what another run can continue from, be it what was there before; what has
    /// failed leaves nothing.
    private func end(
        _ draft: OutputDraft, _ writer: AssetWriter, _ failure: MediaError
    ) async -> MediaError {
        let hasFrames = draft.frames > 0
        guard draft.isResumable, failure.code == .cancelled, hasFrames || draft.earlier != nil
        else {
            await writer.cancel()
            await remove(draft)
            return draft.output.named(failure)
        }
        if hasFrames {
            do throws(MediaError) { _ = try await writer.finish() } catch {
                await remove(draft)
                return draft.output.named(error)
            }
        } else {
            await writer.cancel()
        }
        await NamedThread.run(purpose.threadName) {
            if hasFrames { draft.earlier?.discard() } else { draft.output.discard() }
        }
        return purpose.cancelled(draft.output.path, leaving: .part)
    }

    private func remove(_ draft: OutputDraft) async {
        await NamedThread.run(purpose.threadName) { draft.discard() }
    }
}
