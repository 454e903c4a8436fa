import Capture
import Compose
import Media
import Recording

/// Photos that are taken while a movie is recorded, with its first camera. Thread-safe; nothing waits.
final class TakePhotos: Sendable {
    private struct State {
        /// Photos whose files are not on the disk yet.
        var pending = 0
        /// Names that were given out.
        var names: Set<String> = []
    }

    /// Photos at once (photos): each holds a frame.
    private static let mostAtOnce = 8

    // immutable
    /// `nil` without a camera.
    private let output: PhotoOutput?
    private let recorder: Recorder
    /// The movie's path without its ending, from the root on: others ask for its photos from elsewhere.
    private let stem: String
    private let state = BlockingLock(State())

    init(_ output: PhotoOutput?, of recorder: Recorder, moviePath: String) {
        self.output = output
        self.recorder = recorder
        let path = OutputPath.absolute(moviePath)
        stem = String(path.dropLast(OutputPath.ending(of: path).count + 1))
    }

    /// - Parameters:
    ///   - path: the file; `nil`: beside the movie, counted.
    ///   - completion: called once, with the file when it is on the disk.
    func take(
        _ path: String?, completion: @escaping @Sendable (Result<String, CommandFailure>) -> Void
    ) {
        let chosen: (output: PhotoOutput, path: String)
        do throws(CommandFailure) { chosen = try begin(path) } catch {
            return completion(.failure(error))
        }
        chosen.output.capturePhoto { result in
            // the camera's frames must not wait for an encoder and a disk
            NamedThread(name: "vcap-photo") {
                let outcome = self.write(result, chosen.path)
                if case .success(let path) = outcome { Console.shared.notice("photo \(path)") }
                completion(outcome)
                self.state.withLock { $0.pending -= 1 }
            }.detach()
        }
    }

    /// Waits until all are on the disk.
    func finish() {
        state.wait { $0.pending == 0 ? () : nil }
    }

    private func begin(_ path: String?) throws(CommandFailure) -> (PhotoOutput, String) {
        guard let output else {
            throw CommandFailure(.usage, "this recording has no camera to take a photo with")
        }
        if let path, PhotoFileType(path: path) == nil {
            throw CommandFailure(
                .usage, "cannot say the kind of picture of \(path) by its ending: use .jpg or .png")
        }
        let chosen = state.withLock { state -> String? in
            guard state.pending < Self.mostAtOnce else { return nil }
            state.pending += 1
            let chosen =
                path
                ?? PathPattern("\(stem.escaped).photo-%v.jpg").path(at: 0) {
                    state.names.contains($0) || OutputPath.exists($0)
                }
            state.names.insert(chosen)
            return chosen
        }
        guard let chosen else {
            throw CommandFailure(
                .failedRunning,
                "\(Self.mostAtOnce) photos are not on the disk yet; wait a moment for them")
        }
        return (output, chosen)
    }

    private func write(
        _ result: Result<CapturedPhoto, MediaError>, _ path: String
    ) -> Result<String, CommandFailure> {
        let photo: CapturedPhoto
        do throws(MediaError) { photo = try result.get() } catch {
            return .failure(CommandFailure(error, while: .writing))
        }
        // first, because the movie may end meanwhile, and its report with it
        let name = String(path.hasPrefix(stem) ? path.split(separator: "/").last ?? "" : path[...])
        recorder.notePhoto(name, at: photo.presentationTime)
        do throws(MediaError) {
            // a path without a form of a photo was refused when it was asked for
            let type = PhotoFileType(path: path) ?? .jpeg
            let bytes = try photo.fileData(as: type, software: "vcap \(Verbs.versionNumber)")
            try TemporaryOutput(path: path, overwrites: false).write(bytes)
            return .success(path)
        } catch {
            recorder.forgetPhoto(name, at: photo.presentationTime)
            let failure = CommandFailure(error, while: .writing)
            return .failure(
                error.code == .alreadyExists
                    ? CommandFailure(failure.code, "\(path) exists: choose another name") : failure)
        }
    }
}
