internal import LibAV
package import Media
internal import Movie

extension AssetWriter {
    func append(_ sample: SampleBuffer, track: Int) async throws(MediaError) {
        let queue = try state.withLock { state throws(MediaError) in
            try requireSession(state, track)
            return state.tracks[track].queue
        }
        await queue.waitForRoom(sample.byteCount)
        _ = try take(sample, track)
    }

    /// Takes a sample of a track on a thread of the caller's own.
    /// - Parameter waits: whether to wait for room instead of answering `false`.
    /// - Returns: as `SampleBufferReceiver.appendImmediately`.
    package func append(
        _ sample: SampleBuffer, track: Int, waits: Bool
    ) throws(MediaError) -> Bool {
        guard waits else { return try appendImmediately(sample, track: track) }
        try appendBlocking(sample, track: track)
        return true
    }

    func appendBlocking(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        let queue = try state.withLock { state throws(MediaError) in
            try requireSession(state, track)
            return state.tracks[track].queue
        }
        queue.waitForRoomBlocking(sample.byteCount)
        _ = try take(sample, track)
    }

    func appendImmediately(_ sample: SampleBuffer, track: Int) throws(MediaError) -> Bool {
        if configuration.mode == .offline {
            let hasRoom = try state.withLock { state throws(MediaError) in
                try requireSession(state, track)
                return state.tracks[track].queue.hasRoom(for: sample.byteCount)
            }
            if !hasRoom { return false }
        }
        return try take(sample, track)
    }

    func finishTrack(_ track: Int) {
        state.withLock { state in
            guard !state.tracks[track].isFinished else { return }
            state.tracks[track].finish()
            state.gate?.trackEnded(track)
            route(&state)
        }
    }

    /// Through the gate and into the queues.
    /// - Returns: whether nothing of the track was dropped.
    private func take(_ appended: SampleBuffer, _ track: Int) throws(MediaError) -> Bool {
        guard var sample = try keepable(appended, track) else { return false }
        sample.findSync()
        return try state.withLock { state throws(MediaError) in
            try requireSession(state, track)
            let coding = state.tracks[track].coding
            try sample.requireKind(of: coding, track: track)
            let time = sample.presentationTime.nanoseconds()
            state.tracks[track].noteAppended(bytes: sample.byteCount)
            if case .audio = sample.payload {
                let error = state.gate?.append(
                    sample, track: track, frames: sample.audioFrameCount, at: time,
                    weight: sample.byteCount)
                noteMisplaced(error ?? 0, track, time)
            } else {
                state.gate?.append(
                    sample, track: track, at: time, isSync: sample.isSync, weight: sample.byteCount)
            }
            return route(&state, watching: track)
        }
    }

    private func requireSession(_ state: State, _ track: Int) throws(MediaError) {
        guard state.phase == .session else {
            throw .state("append a sample", "no session is running; start one before.")
        }
        guard !state.tracks[track].isFinished else {
            throw .state("append a sample to track \(track)", "the track was finished.")
        }
        if let failure = state.pipeline?.failure { throw failure }
    }

    private func noteMisplaced(_ error: Int64, _ track: Int, _ time: Int64) {
        guard error.magnitude > SessionGate<SampleBuffer>.jitter else { return }
        let kind = error > 0 ? "late: a hole" : "early: an overlap"
        post.post(
            .misused(
                track: track,
                message: "Audio at \(time) ns is \(error.magnitude / 1_000_000) ms too \(kind); it "
                    + "was placed by counting, right behind the run before it."))
    }

    /// A picture on driver memory is copied, because queues may hold it longer than the driver can.
    private func keepable(
        _ sample: SampleBuffer, _ track: Int
    ) throws(MediaError) -> SampleBuffer? {
        guard let frame = sample.pixelBuffer, frame.holdLimit != nil else { return sample }
        let pool = state.withLock { state -> PixelBufferPool in
            if let pool = state.pools[track], pool.fits(frame) { return pool }
            let limit = max(2, configuration.videoQueueBytes / max(1, sample.byteCount)) + 8
            let pool = PixelBufferPool(
                width: frame.width, height: frame.height, format: frame.format, limit: limit)
            state.pools[track] = pool
            return pool
        }
        do {
            var copy = try pool.makeBuffer()
            copy.copyPixels(from: frame)
            var kept = sample
            kept.payload = .pixels(copy)
            return kept
        } catch {
            state.withLock { state in drop(sample, track, .encoderBehind, &state) }
            return nil
        }
    }

    // MARK: Behind the gate

    /// Moves what the gate has decided to queues, events and annotations.
    /// - Returns: whether nothing of track `watching` was dropped.
    @discardableResult
    func route(_ state: inout State, watching: Int? = nil) -> Bool {
        var isComplete = true
        let pauses = state.pauses.count
        for output in state.gate?.drain() ?? [] {
            switch output {
            case .picture(let track, let released):
                let isTaken = routeFrame(released, track, &state)
                if track == watching, !isTaken { isComplete = false }
            case .audio(let track, let piece): routeAudio(piece, track, &state)
            case .reachedLimit(let time): post.post(.reachedMaximum(at: .nanoseconds(time)))
            case .leftOut(let track, let count): state.tracks[track].counts.leftOut += count
            case .paused(let cut):
                state.pauses.append(MoviePause(cut))
                post.post(.paused(MoviePause(cut)))
            case .resumed(let cut):
                if !state.pauses.isEmpty { state.pauses[state.pauses.count - 1] = MoviePause(cut) }
                post.post(.resumed(MoviePause(cut)))
                state.pipeline?.disk.annotate(
                    .pause(
                        at: .nanoseconds(cut.movieTime),
                        duration: .nanoseconds((cut.end ?? cut.start) - cut.start)))
            case .marker(let text, let time):
                let marker = MovieMarker(text: text, movieTime: .nanoseconds(time))
                state.markers.append(marker)
                post.post(.marked(marker))
                state.pipeline?.disk.annotate(.marker(text, at: marker.movieTime))
            }
        }
        // a pause may last for hours, in which nothing has to wait in an encoder
        if state.pauses.count > pauses { for track in state.tracks { track.queue.pushPause() } }
        return isComplete
    }

    private func routeFrame(
        _ released: FrameQueue<SampleBuffer>.Released, _ track: Int, _ state: inout State
    ) -> Bool {
        let source = released.element
        if let gate = state.gate?.gate, let end = gate.end,
            state.tracks[track].isAtEnd(released.movieTime, gate.movieTime(of: end))
        {
            state.tracks[track].counts.leftOut += 1
            return true
        }
        endMetadata(track, before: released.movieTime, &state)
        guard let sample = state.tracks[track].place(released) else {
            drop(source, track, .outOfOrder, &state)
            return false
        }
        let bytes = sample.byteCount
        let queue = state.tracks[track].queue
        let mayDrop =
            configuration.mode == .realTime
            && [.video, .metadata].contains(sample.format.mediaType)
        if mayDrop, state.tracks[track].mustDrop(sample) || !queue.hasRoom(for: bytes) {
            var dropped = sample
            dropped.presentationTime = source.presentationTime
            let isDisk = state.pipeline?.disk.isFull ?? false
            drop(dropped, track, isDisk ? .diskBehind : .encoderBehind, &state)
            return false
        }
        state.tracks[track].notePushed(sample)
        state.tracks[track].counts.kept += 1
        queue.push(sample, bytes: bytes)
        return true
    }

    /// What the last sample of metadata says may hold no longer before the next one, or the movie's end.
    func endMetadata(_ track: Int, before next: Int64, _ state: inout State) {
        guard let gate = state.gate?.gate,
            let empty = state.tracks[track].endOfMetadata(before: next, gate)
        else { return }
        state.tracks[track].queue.push(empty, bytes: 0)
    }

    private func routeAudio(
        _ piece: AudioQueue<SampleBuffer>.Piece, _ track: Int, _ state: inout State
    ) {
        guard let sample = state.tracks[track].place(piece) else { return }
        let queue = state.tracks[track].queue
        let bytes = sample.byteCount
        if configuration.mode == .realTime, !queue.hasRoom(for: bytes) {
            state.pipeline?.fail(
                MediaError(
                    code: .encoderFailed, subject: "track \(track)",
                    message: "Sound cannot be encoded in time: \(queue.capacity >> 20) MiB of it "
                        + "wait; the movie ends here: choose faster settings."))
            return
        }
        state.tracks[track].counts.kept += Int64(piece.frames.count)
        queue.push(sample, bytes: bytes)
    }

    /// An encoder had to leave out a frame that was kept.
    /// - Parameter time: where it would be (movie time).
    func lost(_ track: Int, at time: MediaTime) {
        state.withLock { state in
            state.tracks[track].noteLost()
            let gate = state.gate?.gate
            let source = gate?.sourceTime(of: time.nanoseconds()) ?? time.nanoseconds()
            post.post(
                .dropped(
                    track: track,
                    SampleDrop(cause: .undecodable, count: 1, time: .nanoseconds(source))))
        }
    }

    private func drop(
        _ sample: SampleBuffer, _ track: Int, _ cause: SampleDrop.Cause, _ state: inout State
    ) {
        state.tracks[track].noteDropped(sample, cause: cause)
        post.post(
            .dropped(
                track: track,
                SampleDrop(cause: cause, count: 1, time: sample.presentationTime)))
    }
}

extension MoviePause {
    package init(_ cut: PauseGate.Cut) {
        self.init(
            movieTime: .nanoseconds(cut.movieTime), cutTime: .nanoseconds(cut.start),
            resumeTime: cut.end.map { .nanoseconds($0) })
    }
}

extension SampleBuffer {
    /// Bytes of memory the sample costs.
    var byteCount: Int {
        guard let picture = pixelBuffer else { return block?.count ?? 0 }
        return picture.withPlanes { $0.reduce(0) { $0 + $1.bytesPerRow * $1.rows } }
    }

    /// Looks into the samples of cameras that code themselves: their drivers do not always say.
    mutating func findSync() {
        guard case .coded(let block) = payload, let video = format.video, let codec = video.codec,
            video.codecConfiguration.isEmpty
        else { return }
        isSync = AnnexB.isSync(block, codec: codec)
    }

    /// - Throws: `unsupported` when the sample is not what the input was made for.
    func requireKind(of coding: TrackInput.Coding, track: Int) throws(MediaError) {
        if case .coded = payload, case .video(let settings, _) = coding,
            format.video?.codec == settings.codec
        {
            return  // its encoder looks whether it can stand beside its own
        }
        let fits =
            switch (payload, coding.source) {
            case (.pixels, .video(let format)): format.pixelFormat != nil
            case (.audio, .audio(let wanted)):
                format.audio?.coding == wanted.coding && format.audio?.channels == wanted.channels
                    && format.audio?.sampleRate == wanted.sampleRate
            case (.coded, .video(let wanted)):
                format.video?.codec != nil && format.video?.codec == wanted.codec
            case (.coded, .audio(let wanted)):
                format.audio?.codec != nil && format.audio?.codec == wanted.codec
            case (.coded(let block), .metadata(let wanted)):
                format.metadata == wanted
                    && block.withUnsafeBytes { MetadataPacking.isSample($0, of: wanted) }
            default: false
            }
        guard fits else {
            throw MediaError(
                code: .unsupported, subject: "track \(track)",
                message: "Cannot append a sample of another format than track \(track) was made "
                    + "for; convert it first.")
        }
    }
}

extension PixelBufferPool {
    func fits(_ frame: PixelBuffer) -> Bool {
        width == frame.width && height == frame.height && format == frame.format
    }
}
