package import Media

/// Brings frames of whatever formats come to one format: pixel format, size, colours, rotation and mirror, in memory
/// of a bounded pool. A frame that has it already is passed on as it is, not copied. Thread-bound.
// because its owner serialises its calls
package final class FrameConverter: @unchecked Sendable {
    /// What happens when every frame of the pool is held.
    package enum Exhaustion: Sendable {
        /// The frame is refused: its source must not run out of memory for a listener that is slow.
        case refuses
        /// Memory is allocated for it alone: holders of frames are bounded otherwise.
        case allocates
    }

    /// Why a frame cannot be had.
    package enum Failure: Error {
        /// Every frame of the pool is held.
        case exhausted
        case unconvertible(MediaError)

        package var error: MediaError {
            switch self {
            case .unconvertible(let error): error
            case .exhausted:
                .refused(
                    .outOfMemory, "a frame", "Cannot convert a frame: too many are held.")
            }
        }
    }

    // immutable
    package let output: VideoFormat
    private let limit: Int
    private let exhaustion: Exhaustion
    private let leavesDrivers: Bool

    // owned by the calling thread
    private var converter: PixelConverter?
    private var pool: PixelBufferPool?

    /// - Parameters:
    ///   - output: a raw format.
    ///   - limit: most frames in use at once (frames; positive).
    ///   - exhaustion: what happens past it.
    ///   - leavesDrivers: whether frames on a driver's memory are copied out of it.
    package init(
        to output: VideoFormat, limit: Int, exhaustion: Exhaustion, leavesDrivers: Bool = false
    ) {
        self.output = output
        self.limit = limit
        self.exhaustion = exhaustion
        self.leavesDrivers = leavesDrivers
    }

    /// - Parameter format: what the frame is, as far as the frame does not say it itself.
    package func convert(
        _ frame: PixelBuffer, _ format: VideoFormat
    ) throws(Failure) -> PixelBuffer {
        let converter: PixelConverter
        do throws(MediaError) { converter = try self.converter(for: frame, format) } catch {
            throw .unconvertible(error)
        }
        let isHeld = leavesDrivers && frame.holdLimit != nil
        if converter.changesNothing, !isHeld { return frame }
        var result = try emptyFrame()
        do throws(MediaError) { try converter.convert(frame, into: &result) } catch {
            throw .unconvertible(error)
        }
        return result
    }

    /// From what frames are now: a JPEG states its chroma only when it is decoded, a camera can come back with
    /// another size.
    private func converter(
        for frame: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> PixelConverter {
        var source = format
        source.coding = .raw(frame.format)
        (source.width, source.height) = (frame.width, frame.height)
        if let converter, converter.input == source { return converter }
        let fresh = try PixelConverter(from: source, to: output)
        converter = fresh
        return fresh
    }

    private func emptyFrame() throws(Failure) -> PixelBuffer {
        guard let pixels = output.pixelFormat else {
            preconditionFailure("frames are converted to raw formats")
        }
        let pool =
            self.pool
            ?? PixelBufferPool(
                width: output.width, height: output.height, format: pixels, limit: limit)
        self.pool = pool
        do throws(PixelBufferPool.Exhausted) { return try pool.makeBuffer() } catch {
            guard exhaustion == .allocates else { throw .exhausted }
            return PixelBuffer(width: output.width, height: output.height, format: pixels)
        }
    }
}
