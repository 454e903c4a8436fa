internal import Media

/// Holds back the last 3 ms of a track, so that audio can fade where it breaks off, and fades it in
/// where it begins again. Without a break every frame passes bit-exactly.
///
/// A pure value over interleaved frames.
struct EdgeFader: Sendable {
    private let format: AudioFormat
    /// Frames of a fade, and held back (frames).
    let length: Int
    private var held: [UInt8] = []
    private var fadeInDone: Int

    init(format: AudioFormat) {
        self.format = format
        length = max(1, format.sampleRate * 3 / 1000)
        fadeInDone = length
    }

    /// Frames held back now (frames).
    var heldFrames: Int { held.count / max(1, format.bytesPerFrame) }

    /// Takes frames and gives those that are certain.
    mutating func push(_ block: BlockBuffer) -> BlockBuffer? {
        let count = block.count
        guard count > 0 else { return nil }
        if held.isEmpty, fadeInDone >= length {
            let keep = min(count, length * format.bytesPerFrame)
            held = block.slice(count - keep..<count).bytes
            return keep < count ? block.slice(0..<count - keep) : nil
        }
        let start = held.count
        block.withUnsafeBytes { held.append(contentsOf: $0) }
        fadeIn(from: start)
        let certain = held.count - length * format.bytesPerFrame
        guard certain > 0 else { return nil }
        let out = held.withUnsafeBytes {
            BlockBuffer(UnsafeRawBufferPointer(rebasing: $0[..<certain]))
        }
        held.removeFirst(certain)
        return out
    }

    /// The audio breaks off here: what was held back, fading out. The next frames fade in.
    mutating func breakOff() -> BlockBuffer? {
        fadeInDone = 0
        guard !held.isEmpty else { return nil }
        let frames = heldFrames
        for frame in 0..<frames {
            scale(frame: frame, by: Float(frames - frame - 1) / Float(frames))
        }
        defer { held.removeAll(keepingCapacity: true) }
        return BlockBuffer(held)
    }

    /// The end: what was held back, as it is.
    mutating func flush() -> BlockBuffer? {
        guard !held.isEmpty else { return nil }
        defer { held.removeAll() }
        return BlockBuffer(held)
    }

    private mutating func fadeIn(from start: Int) {
        var frame = start / format.bytesPerFrame
        while fadeInDone < length, frame < heldFrames {
            scale(frame: frame, by: Float(fadeInDone) / Float(length))
            fadeInDone += 1
            frame += 1
        }
    }

    private mutating func scale(frame: Int, by gain: Float) {
        guard let sampleFormat = format.sampleFormat else { return }
        let size = format.bytesPerFrame
        held.withUnsafeMutableBytes { bytes in
            for offset in stride(from: frame * size, to: (frame + 1) * size, by: sampleFormat.bytes)
            {
                switch sampleFormat {
                case .int16:
                    let value = Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
                    bytes.storeBytes(
                        of: Int16((value * gain).rounded()), toByteOffset: offset, as: Int16.self)
                case .int32:
                    let value = Double(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
                    bytes.storeBytes(
                        of: Int32((value * Double(gain)).rounded()), toByteOffset: offset,
                        as: Int32.self)
                case .float32:
                    let value = bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
                    bytes.storeBytes(of: value * gain, toByteOffset: offset, as: Float.self)
                }
            }
        }
    }
}
