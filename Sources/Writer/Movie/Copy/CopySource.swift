package import Media

/// What a track of a movie is copied from. Who reads it is not known here (Reading: `CopiedTrack`).
package protocol CopySource: Sendable {
    /// Opens the first source; blocks.
    /// - Parameters:
    ///   - movieScale: ticks of the new movie's times (1/s).
    ///   - isEdited: whether the container has edit lists.
    /// - Throws: `unsupported` when the sources' times have no common scale, or a container without edit
    ///   lists cannot show what is wanted.
    func samples(movieScale: Int32, isEdited: Bool) throws(MediaError) -> any CopiedSamples
}

/// The coded samples of a copied track one after the other, with their times in the new one. Thread-bound.
package protocol CopiedSamples: AnyObject {
    /// The new track; nil where there is nothing to copy.
    var containerTrack: ContainerTrack? { get }
    /// Format of the samples, once the first source is open.
    var format: FormatDescription? { get }
    /// Whether an edit list will cut what is not wanted.
    var isEdited: Bool { get }
    /// What is shown of the samples read so far.
    var edits: TrackEdits { get }
    /// Samples of which the movie shows something so far (count).
    var shownCount: Int { get }

    /// The next sample; `nil` at the end.
    func next() throws(MediaError) -> CopiedSample?
}

/// A sample in ticks of the new track, and when in the movie it is decoded for (ticks of its times).
package struct CopiedSample: Sendable {
    package let sample: SampleBuffer
    package let time: Int64

    package init(sample: SampleBuffer, time: Int64) {
        self.sample = sample
        self.time = time
    }
}
