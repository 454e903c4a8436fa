package import Media

/// Decoded audio of one track of one source at the film's rate. Thread-bound.
package protocol AudioSource: AnyObject {
    /// Channels it delivers, in the default order of the count (count; 1…64).
    var channels: Int { get }

    /// `count` frames of interleaved float32 from `frame` on; frame 0 is at movie time zero. What lies
    /// before the first or after the last frame of the source is silence.
    func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer
}

extension BlockBuffer {
    /// Its float32 values, followed by zeros where it is shorter.
    func floats(_ count: Int) -> [Float] {
        var values = [Float](repeating: 0, count: count)
        withUnsafeBytes { bytes in
            values.withUnsafeMutableBytes { target in
                target.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes.prefix(target.count)))
            }
        }
        return values
    }
}

/// Opens the audio of a source at a sample rate (Hz), in as many channels as it has.
package typealias AudioOpener = (MediaSource, _ sampleRate: Int) throws(MediaError) ->
    any AudioSource
