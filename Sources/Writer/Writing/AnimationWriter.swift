internal import Image
package import Media
package import Movie

/// Writes a GIF as its frames come. Thread-bound.
///
/// Memory: four frames of four bytes a pixel, besides the palette's two.
package final class AnimationWriter {
    private let encoder: GIFEncoder
    private let file: DurableFile

    /// Frames in the file, and those left out because they came less than 2/100 s after the one before (counts).
    package var pictures: Int { encoder.pictures }
    package var leftOut: Int { encoder.leftOut }
    /// Written so far.
    package var bytes: Int64 { file.size }

    /// Creates the file; an older one of that name is replaced.
    /// - Parameters:
    ///   - hasAlpha: whether frames are transparent in places; half opaque and more is opaque.
    ///   - loops: how often all is shown (count; nil: for ever).
    package init(
        path: String, width: Int, height: Int, hasAlpha: Bool, loops: Int?
    ) throws(MediaError) {
        encoder = try GIFEncoder(width: width, height: height, hasAlpha: hasAlpha, loops: loops)
        file = try DurableFile(creating: path, existing: .replace, policy: .never)
    }

    deinit { file.close() }

    /// The lock of the new file, for longer than it is open.
    package func keepLock() -> FileLock? { file.keepLock() }

    /// - Parameters:
    ///   - picture: bgra of the agreed size.
    ///   - start: rising (seconds).
    package func append(_ frame: PixelBuffer, at start: MediaTime) throws(MediaError) {
        let bytes = try encoder.append(frame, at: start)
        try write(bytes)
    }

    /// Ends the file; all of it is on the disk then.
    /// - Parameter end: when the last frame is no longer shown (seconds).
    package func finish(at end: MediaTime) throws(MediaError) {
        let bytes = try encoder.finish(at: end)
        try write(bytes)
        try file.synchronize()
        file.close()
    }

    private func write(_ bytes: [UInt8]) throws(MediaError) {
        guard !bytes.isEmpty else { return }
        try file.append(bytes)
        // nobody waits for the disk before the end: nothing is held for writing it again
        if file.heldBytes > 16 << 20 { try file.synchronize() }
    }
}
