/// Changes frames between a camera's output and a recorder or preview, or between a movie's pictures and an encoder: what
/// Core Image's filters are to AVFoundation. `FilteredSource` calls it beside a camera.
///
/// It is called on one thread at a time, frame after frame in the order of their times. It may be slow and it may throw:
/// what is shown then is its `fallback`, and no frame's time changes. Frames are never in a driver's memory as long as
/// the output in front of it wants a raw format.
public protocol FrameProcessor: Sendable {
    /// What reports call it: a word or two, such as `mosaic-faces`.
    var name: String { get }

    /// How far behind a frame others must have been looked at before it is processed (default: not at all; at most
    /// 250 ms). A recording does not wait for it: the frames only reach the movie so much later.
    var lookAhead: MediaTime { get }

    /// What is shown in place of a frame that could not be processed (default: black).
    var fallback: FrameFallback { get }

    /// How many things it covered or replaced, in all frames together: a face that is seen in ten frames counts ten
    /// (count; default: 0).
    var covered: Int { get }

    /// Whether it takes frames of a format (default: any raw one).
    /// - Parameter format: of raw frames.
    /// - Throws: `unsupported`, with what to do.
    func check(_ format: VideoFormat) throws(MediaError)

    /// Looks at a frame that will be processed later, by `lookAhead` (default: does nothing).
    /// - Parameter frame: raw.
    func look(at frame: SampleBuffer) throws

    /// Makes the frame that is shown.
    /// - Parameter frame: raw.
    /// - Returns: pixels of the same size and format; the frame's own where nothing is to be changed. Its time and all
    ///   else stays the frame's.
    func process(_ frame: SampleBuffer) throws -> PixelBuffer
}

/// What is shown in place of a frame that a processor did not process in time, or failed on.
public enum FrameFallback: String, Sendable, Hashable, Codable {
    /// Black: what was to be hidden stays hidden.
    case black
    /// The frame as it came.
    case unprocessed
}

extension FrameProcessor {
    public var lookAhead: MediaTime { .zero }
    public var fallback: FrameFallback { .black }
    public var covered: Int { 0 }
    public func check(_ format: VideoFormat) throws(MediaError) {}
    public func look(at frame: SampleBuffer) throws {}

    /// The processed frame: all but its pixels is the frame's.
    /// - Throws: what the processor does, and `conversionFailed` for pixels of another size or format.
    package func processed(_ frame: SampleBuffer) throws -> SampleBuffer {
        let pixels = try process(frame)
        guard let own = frame.pixelBuffer, own.width == pixels.width, own.height == pixels.height,
            own.format == pixels.format
        else {
            throw MediaError(
                code: .conversionFailed, subject: name,
                message: "The filter \(name) answered with a frame of another size or format.")
        }
        var result = frame
        result.payload = .pixels(pixels)
        return result
    }
}
