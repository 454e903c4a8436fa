import Play

/// What gives the pictures of a tile: a camera's preview, or a film that is played. Thread-safe.
protocol PictureSource: AnyObject, Sendable {
    /// Sets who gets the pictures; called on a thread of the source's.
    func setHandler(_ handler: (@Sendable (PreviewFrame) -> Void)?)
    /// Whether pictures are made: nobody sees them otherwise.
    func setEnabled(_ isEnabled: Bool)
    /// Whether they are the source's own pixels, not scaled.
    func setZoomed(_ isZoomed: Bool)
    /// Counts a picture that was replaced before a display took it.
    func countLate()
}

extension PreviewLayer: PictureSource {}

/// One picture of a board.
struct BoardTile: Sendable {
    let source: any PictureSource
    /// What stands below it.
    let caption: @Sendable () -> [StatusPart]
}

/// A place where a preview is shown, and what keys do with it.
protocol PreviewBoard: AnyObject, Sendable {
    /// Begins to show it.
    /// - Parameter answers: called with whether answers of the terminal come among its keys, for who reads them; `nil`
    ///   where nobody does.
    func start(answers: (@Sendable (Bool) -> Void)?)
    /// Ends it for good, and waits until the place is as it was before.
    func stop()
    /// The process is about to be stopped.
    func suspend()
    /// It continues.
    func comeBack()
    /// Whether it is shown, or is to be.
    var isWanted: Bool { get }
    /// How it is shown, in words.
    var words: String { get }
    func take(_ action: PreviewKeys.Action)
    /// What the terminal says of itself.
    func take(_ answer: TerminalAnswer)
    /// Shows what the keys do in the place of the picture, or the picture again.
    func toggleHelp()
    /// Fills the screen with it, or no longer.
    /// - Returns: whether it is in a window, which can.
    func toggleFullScreen() -> Bool
    /// Draws its lines anew.
    func refresh()
    /// Says something as soon as the picture is there: before that it would be gone at once.
    func noticeWhenShown(_ sentence: String)
}

extension TerminalPreview: PreviewBoard {}

extension PreviewBoard {
    func take(_ answer: TerminalAnswer) {}
    func toggleFullScreen() -> Bool { false }
}
