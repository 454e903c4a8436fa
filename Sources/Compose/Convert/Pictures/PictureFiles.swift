internal import Glibc
internal import LibAV
internal import Media
internal import Movie

/// Codes pictures into files of their own, several at once, and gives each its name when it is whole. Thread-safe.
///
/// Memory: as many pictures as there are threads, coded ones beside them, and as many again that wait.
final class PictureFiles: Sendable {
    private struct Work: Sendable {
        let number: Int
        let picture: PixelBuffer
        let format: VideoFormat
        let ignoresOpacity: Bool
    }

    private struct State: Sendable {
        var waiting: [Work] = []
        var busy = 0
        var bytes: Int64 = 0
        var failure: MediaError?
        var isEnded = false
    }

    // immutable
    private let form: StillEncoder.Form
    private let claim: Claim
    private let threads: Int
    // guarded by itself
    private let state = BlockingLock(State())

    /// Where a picture grows, by its number, once it is sure that it may be there.
    typealias Claim = @Sendable (Int) throws(MediaError) -> TemporaryOutput

    init(_ form: FilmStills.Form, claim: @escaping Claim) {
        self.form = form == .png ? .png : .jpeg
        self.claim = claim
        threads = min(8, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        for number in 0..<threads {
            NamedThread(name: "vcap-picture\(number)") { self.work() }.detach()
        }
    }

    /// Written so far.
    var bytes: Int64 { state.read { $0.bytes } }

    /// Waits for room. The first one is written before others are taken: where another program has its name nothing was
    /// made.
    /// - Parameters:
    ///   - ignoresOpacity: whether the picture is opaque, whatever its format has room for.
    ///   - number: from 1.
    /// - Throws: what an earlier picture met.
    func add(
        _ picture: PixelBuffer, _ format: VideoFormat, ignoresOpacity: Bool, number: Int
    ) throws(MediaError) {
        let work = Work(
            number: number, picture: picture, format: format, ignoresOpacity: ignoresOpacity)
        guard number > 1 else {
            let bytes = try write(work)
            return state.withLock { $0.bytes += Int64(bytes) }
        }
        let threads = threads
        let failure = state.wait { state -> MediaError?? in
            if let failure = state.failure { return .some(failure) }
            guard state.waiting.count < threads else { return nil }
            state.waiting.append(work)
            return .some(nil)
        }
        if let failure { throw failure }
    }

    /// Waits until all are written.
    func finish() throws(MediaError) {
        state.withLock { $0.isEnded = true }
        let failure = state.wait { state -> MediaError?? in
            guard state.failure == nil else { return state.busy == 0 ? state.failure : nil }
            return state.waiting.isEmpty && state.busy == 0 ? .some(nil) : nil
        }
        if let failure { throw failure }
    }

    /// No more come; what waits is not written.
    func stop() {
        state.withLock { state in
            state.isEnded = true
            state.waiting = []
        }
        state.wait { $0.busy == 0 ? () : nil }
    }

    private func work() {
        while let work = take() {
            let result: Result<Int, MediaError>
            do throws(MediaError) { result = .success(try write(work)) } catch {
                result = .failure(error)
            }
            state.withLock { state in
                state.busy -= 1
                switch result {
                case .success(let bytes): state.bytes += Int64(bytes)
                case .failure(let error):
                    state.failure = state.failure ?? error
                    state.waiting = []
                }
            }
        }
    }

    private func take() -> Work? {
        state.wait { state -> Work?? in
            guard !state.waiting.isEmpty else { return state.isEnded ? .some(nil) : nil }
            state.busy += 1
            return state.waiting.removeFirst()
        }
    }

    private func write(_ work: Work) throws(MediaError) -> Int {
        let bytes = try StillEncoder.encode(
            work.picture, format: work.format, as: form, ignoresOpacity: work.ignoresOpacity)
        try claim(work.number).write(bytes)
        return bytes.count
    }
}
