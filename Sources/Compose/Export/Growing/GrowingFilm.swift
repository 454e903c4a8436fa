public import Media

/// A film of what is still being recorded, as it would be if the recording ended at the moment one looks.
public struct FilmLook: Sendable {
    public var film: Film
    /// How much of its end may become another one while the recording continues: a transition that begins before a cut, a
    /// fade, the last group of frames (seconds). What two looks do not agree on is never made, whatever this says; the
    /// longer it is, the less has to be made anew.
    public var unsettled: MediaTime

    public init(_ film: Film, unsettled: MediaTime = .seconds(3)) {
        (self.film, self.unsettled) = (film, unsettled)
    }
}

/// A film that grows: it is waited for, then looked at, again and again. Called on the export's threads, which both may
/// block, one after the other.
public protocol GrowingFilm: Sendable {
    /// Waits until the film is worth another look; at once where it is whole.
    /// - Returns: whether the recording has ended, so that nothing is added to it.
    /// - Throws: `cancelled` where the recording came to nothing.
    func waitForMore() throws(MediaError) -> Bool

    /// The film as it is now.
    /// - Parameter isWhole: what the wait for it returned.
    /// - Returns: nil where there is too little of it yet; never of the whole.
    func look(isWhole: Bool) throws(MediaError) -> FilmLook?
}
