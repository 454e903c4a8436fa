public import Media

/// A function through which a track's frames pass on their way into the mix.
public struct AudioTap: Sendable {
    /// What the frames are.
    public struct Context: Sendable, Hashable {
        /// Of the first frame, on the timeline.
        public let time: MediaTime
        /// Frames per second (Hz).
        public let sampleRate: Int
        /// Interleaved channels (count).
        public let channels: Int

        public init(time: MediaTime, sampleRate: Int, channels: Int) {
            self.time = time
            self.sampleRate = sampleRate
            self.channels = channels
        }
    }

    /// What the tap does, in a word: two taps of one name are taken to do the same, so that a
    /// cancelled export can be resumed.
    public let name: String
    /// Gets interleaved frames in order of time, full scale ±1; must keep their number. Called on the
    /// export's thread.
    public let process: @Sendable (inout [Float], Context) -> Void

    public init(name: String, process: @escaping @Sendable (inout [Float], Context) -> Void) {
        self.name = name
        self.process = process
    }
}
