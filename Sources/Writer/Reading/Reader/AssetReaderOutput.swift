public import Media

/// Something an `AssetReader` reads: a track, or what others compose of several.
///
/// A type of one's own implements the first group and leaves the rest to the reader. Samples are taken
/// with `next`. Each output opens its files for itself, so that outputs are read at any pace, from any
/// thread, and none waits for another. Thread-safe; an output gives one sample at a time.
public protocol AssetReaderOutput: AnyObject, Sendable {
    var mediaType: MediaType { get }

    /// What there is to read (movie or timeline time).
    var timeRange: MediaTimeRange { get }

    /// What the reader keeps about this output: one of its own, made with it.
    var slot: AssetReaderSlot { get }

    /// Goes to the beginning of a range; the reader calls it first, and again after a reset.
    func begin(_ range: MediaTimeRange) throws(MediaError)

    /// The next sample of the range; `nil` at its end.
    func produce() throws(MediaError) -> SampleBuffer?

    /// Gives files and decoders back; nothing is read afterwards but after another `begin`.
    func end()
}

extension AssetReaderOutput {
    /// The next sample; `nil` at the end of what the reader reads. Blocks; not for Swift's cooperative
    /// pool.
    /// - Throws: `invalid-state` before the reader's start and after its cancellation; what the file
    ///   answered, and the same again each time.
    public func next() throws(MediaError) -> SampleBuffer? { try slot.next(self) }

    /// Whether ranges can be read anew after the first one (default no). Set before the reader starts;
    /// the reader is then not `completed` before `markConfigurationAsFinal`.
    public var supportsRandomAccess: Bool {
        get { slot.supportsRandomAccess }
        set { slot.supportsRandomAccess = newValue }
    }

    /// Reads other ranges from now on, in their order; nothing is left of the ones before.
    /// - Throws: `invalid-state` without `supportsRandomAccess`, before the start, after the end.
    public func reset(forReadingTimeRanges ranges: [MediaTimeRange]) throws(MediaError) {
        try slot.reset(ranges)
    }

    /// No more `reset`: when the ranges are read, the output is done.
    public func markConfigurationAsFinal() { slot.markFinal(self) }
}
