package import Media
internal import Reading

/// The frames of a film as its export would encode them, in any order; forwards is cheap. Thread-bound; blocks on
/// the sources.
package final class FilmPictures {
    // immutable
    /// Of the frames: 8 bits, the film's colours, upright with square pixels.
    package let format: VideoFormat
    private let renderer: FilmRenderer
    private let shelf: SourceShelf

    /// - Parameters:
    ///   - film: with a video composition.
    ///   - size: of the frames (pixels; even); another one than the film's scales it.
    ///   - heldFrames: that its user holds at once (count).
    ///   - threads: that compose a frame (count); nil: as many as there are cores, at most 4.
    /// - Throws: `invalid-setting` for a film without frames; `unsupported` for frames that cannot be read.
    package init(
        _ film: Film, size: PixelSize, heldFrames: Int, threads: Int? = nil
    ) throws(MediaError) {
        try film.requireReadableFrames()
        guard let frames = film.videoComposition else { throw Film.noFrames }
        let rate = frames.frameDuration.reduced
        var format = frames.format(
            size, rate: FrameRate(rate.timescale, per: Int32(clamping: rate.value)))
        // HDR that is toned for a display needs its bits
        format.coding = .raw(frames.color.rangeName == nil ? .yuv420p : .yuv420p10le)
        self.format = format
        shelf = SourceShelf(film.assets)
        renderer = try FilmRenderer(
            film, format: format, threads: threads, shelf: shelf, heldFrames: heldFrames)
    }

    /// The film at an instant of the timeline.
    package func picture(at time: MediaTime) throws(MediaError) -> PixelBuffer {
        try renderer.picture(at: time)
    }

    /// The instant of the timeline from which on everything that is on show at `time` is decoded without decoding
    /// what lies before; nil: it is not known.
    package func syncTime(before time: MediaTime) throws(MediaError) -> MediaTime? {
        try renderer.syncTime(before: time)
    }

    /// Coded frames that could not be decoded whole so far (count).
    package var damagedFrames: Int { shelf.damage.values.reduce(0) { $0 + $1.pictures } }

    /// What could not be decoded, one sentence for each file.
    package var damage: [String] {
        shelf.damage.sorted { $0.key < $1.key }.compactMap { $0.value.sentence(of: $0.key) }
    }
}

extension Film {
    /// The film with the frames of its composition, checked as an export checks it.
    /// - Throws: `invalid-setting` for a film without frames and audio, `invalid-edit` for instructions that leave
    ///   something out, `unsupported` for frames that cannot be read; what is wrong with a source.
    package func readyToPlay() throws(MediaError) -> Film {
        guard composition.duration > .zero else {
            throw .setting("film", "The film is empty; add a clip to it.")
        }
        let film = try withPictures()
        if film.videoComposition != nil { try requireReadableFrames() }
        try film.videoComposition?.validate(for: film.composition)
        guard film.videoComposition != nil || !composition.tracks(of: .audio).isEmpty else {
            throw .setting("film", "The film has neither video nor audio.")
        }
        return film
    }
}
