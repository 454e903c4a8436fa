import Detect
import Media
import Recording

/// Follows the slates that a recording's cameras are shown. Thread-safe: called on the threads of the cameras'
/// detectors.
final class SlateWatch: Sendable {
    // immutable
    private let wish: SlateWish
    private let recorder: Recorder
    private let commands: any RecordingCommands
    private let outputs: [(name: String, output: MetadataOutput)]
    // guarded by itself
    private let desk: Lock<SlateDesk>

    /// - Parameters:
    ///   - outputs: what looks at the cameras, by their names.
    ///   - rate: how often (frames per second).
    init(
        _ wish: SlateWish, of recorder: Recorder, _ commands: any RecordingCommands,
        outputs: [(name: String, output: MetadataOutput)], rate: FrameRate
    ) {
        self.wish = wish
        self.recorder = recorder
        self.commands = commands
        self.outputs = outputs
        desk = Lock(SlateDesk(rate: rate))
    }

    func start() {
        for (name, output) in outputs {
            output.setObjectsHandler { [weak self] in self?.take($0, of: name) }
        }
    }

    func stop() { for (_, output) in outputs { output.setObjectsHandler(nil) } }

    private func take(_ found: DetectedObjects, of camera: String) {
        // what the movie does not have yet is shown when it begins
        guard recorder.movieTime(of: found.time) != nil else { return }
        let codes = found.objects.compactMap { $0 as? MachineReadableCode }
        for showing in desk.withLock({ $0.see(codes, at: found.time) }) {
            switch showing {
            case .slate(let slate): take(slate, of: camera, at: found.time)
            case .refused(let reason):
                Console.shared.warning("\(camera) is shown a slate that is not followed: \(reason)")
            case .tooMany:
                Console.shared.warning(
                    "\(camera) is shown more slates than a take follows; no more are followed")
            }
        }
    }

    private func take(_ slate: Slate, of camera: String, at time: MediaTime) {
        let action = slate.action.flatMap(SlateAction.init(rawValue:))
        var seen = SeenSlate(camera: camera)
        (seen.title, seen.scene, seen.take) = (slate.title, slate.scene, slate.take)
        (seen.marker, seen.clock, seen.action) = (slate.markerText, slate.clock?.name, slate.action)
        if slate.action != nil { seen.isAllowed = action.map(wish.allowed.contains) ?? false }
        guard recorder.noteSlate(seen, keepsTitle: wish.keepsTitle, at: time) else { return }
        if !slate.unknownKeys.isEmpty {
            Console.shared.warning(
                "the slate has keys that vcap does not know, and passes over: "
                    + slate.unknownKeys.joined(separator: ", "))
        }
        guard let word = slate.action else { return }
        guard let action else {
            return Console.shared.warning(
                "a slate asks for \(word), which no slate can ask for: nothing is done")
        }
        guard wish.allowed.contains(action) else {
            return Console.shared.warning(
                "a slate asks for \(word): refused, since --slate-allow \(word) was not given")
        }
        perform(action)
    }

    private func perform(_ action: SlateAction) {
        switch action {
        case .pause: commands.pause()
        case .resume: commands.resume()
        case .stop: commands.requestStop(fast: false)
        case .photo: commands.takePhoto(PhotoRequest(isByKey: true)) { _ in }
        }
    }
}
