internal import Glibc
internal import Media
internal import Reading

/// Decodes picture files on several threads ahead of the reader, which takes them in order, within a budget of bytes.
/// Thread-safe.
final class OrderedDecoding: Sendable {
    /// Most bytes of pictures that wait (bytes); one picture may be larger.
    private static let budget = 64 << 20

    private struct State: Sendable {
        /// First file that no thread has taken.
        var begun = 0
        /// The file that is wanted next.
        var wanted = 0
        var results: [Int: Result<SampleBuffer, MediaError>] = [:]
        /// Bytes of each file that waits or is being decoded.
        var bytes: [Int: Int] = [:]
        var isStopped = false
    }

    // immutable
    private let paths: [String?]
    private let frame: PixelSize?
    // guarded by itself
    private let state = BlockingLock(State())

    /// - Parameters:
    ///   - paths: nil: none, which is never taken.
    ///   - frame: what upright pictures will be made smaller to, and need not be larger than (nil: as they
    ///     are).
    init(_ paths: [String?], fitting frame: PixelSize?) {
        self.paths = paths
        self.frame = frame
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        for number in 0..<min(cores, 8, max(1, paths.count)) {
            NamedThread(name: "vcap-still\(number)") { self.work() }.detach()
        }
    }

    /// The picture of a file; files are taken in order. Blocks.
    func picture(_ index: Int) throws(MediaError) -> SampleBuffer {
        state.withLock { state in
            state.wanted = index
            state.bytes = state.bytes.filter { $0.key >= index }
        }
        let result = state.wait { $0.results[index] }
        state.withLock { $0.results[index] = nil }
        return try result.get()
    }

    /// No more is wanted; threads end after what they are at.
    func stop() { state.withLock { $0.isStopped = true } }

    private func work() {
        while let index = take(), let path = paths[index] {
            let result: Result<SampleBuffer, MediaError>
            do throws(MediaError) {
                let still = try StillSource(path, fitting: frame)
                guard reserve(still.bytes, for: index) else { return }
                result = .success(try still.picture())
            } catch { result = .failure(error) }
            state.withLock { $0.results[index] = result }
        }
    }

    /// The next file to decode; nil when there is none any more.
    private func take() -> Int? {
        state.withLock { state in
            while state.begun < paths.count, paths[state.begun] == nil { state.begun += 1 }
            guard !state.isStopped, state.begun < paths.count else { return nil }
            defer { state.begun += 1 }
            return state.begun
        }
    }

    /// Waits for room; the file wanted next needs none.
    /// - Returns: whether decoding continues.
    private func reserve(_ bytes: Int, for index: Int) -> Bool {
        state.wait { state in
            if state.isStopped { return false }
            let others = state.bytes.values.reduce(0, +)
            guard index <= state.wanted || others + bytes <= Self.budget else { return nil }
            state.bytes[index] = bytes
            return true
        }
    }
}

/// A picture file that has been looked at.
private struct StillSource {
    let asset: Asset
    let track: AssetTrack
    /// Of the decoded picture, at most (bytes).
    let bytes: Int
    private let box: FrameBounds?

    init(_ path: String, fitting frame: PixelSize?) throws(MediaError) {
        asset = try Asset.load(path)
        guard let track = asset.tracks.first(where: { $0.mediaType == .video }),
            let format = track.format?.video
        else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot show \(path) in a sequence: it holds no picture.")
        }
        self.track = track
        box = frame.map {
            format.orientation.swapsAxes
                ? FrameBounds(width: $0.height, height: $0.width)
                : FrameBounds(width: $0.width, height: $0.height)
        }
        var shrink = 1.0
        if let box, format.codec == .mjpeg {
            // halved as often as it stays large enough
            let scale = min(
                Double(box.width) / Double(format.width),
                Double(box.height) / Double(format.height))
            shrink = min(1, 2 * scale)
        }
        bytes = Int(Double(format.width * format.height * 4) * shrink * shrink)
    }

    func picture() throws(MediaError) -> SampleBuffer {
        let cursor = try FrameCursor(asset: asset, track: track, fitting: box)
        defer { cursor.close() }
        return try cursor.picture(at: .zero)
    }
}
