import Capture
import Compose
import Media
import Recording

/// Photos that are taken while a movie is recorded, with its first camera. Thread-safe; nothing waits.
final class TakePhotos: Sendable {
    private struct State {
        /// Photos that have no frame yet.
        var unanswered = 0
        /// Photos, and among them live photos, whose files are not on the disk yet.
        var pending = 0
        var pendingLive = 0
        /// Names that were given out.
        var names: Set<String> = []
        /// Whether no more are taken.
        var isEnding = false
    }

    /// A photo that can be taken.
    private struct Job {
        let output: PhotoOutput
        let path: String
        let live: (recorder: LivePhotoRecorder, files: LivePhotoFiles)?
        let hasDepth: Bool

        var files: [String] { live?.files.paths ?? [path] }
    }

    /// Photos at once (photos): each holds a frame. Live photos wait for what comes after them, as JPEGs.
    private static let mostAtOnce = 8
    private static let mostLiveAtOnce = 64

    // immutable
    /// `nil` without a camera.
    private let output: PhotoOutput?
    /// `nil` where no live photos can be taken.
    private let live: (recorder: LivePhotoRecorder, form: LivePhotoForm)?
    private let recorder: Recorder
    /// The movie's path without its ending, from the root on: others ask for its photos from elsewhere.
    private let stem: String
    private let state = BlockingLock(State())

    init(
        _ output: PhotoOutput?, _ live: LivePhotoRecorder?, _ form: LivePhotoForm?,
        of recorder: Recorder, moviePath: String
    ) {
        self.output = output
        self.live = live.map { ($0, form ?? .google) }
        self.recorder = recorder
        let path = OutputPath.absolute(moviePath)
        stem = String(path.dropLast(OutputPath.ending(of: path).count + 1))
    }

    /// - Parameter completion: called once, with the files when they are on the disk, the photo first.
    func take(
        _ request: PhotoRequest,
        completion: @escaping @Sendable (Result<PhotoAnswer, CommandFailure>) -> Void
    ) {
        let job: Job
        do throws(CommandFailure) { job = try begin(request) } catch {
            if request.isByKey { Self.warn(of: error) }
            return completion(.failure(error))
        }
        job.output.capturePhoto(isDepthDataDeliveryEnabled: job.hasDepth) { result in
            let movie = job.live.flatMap { live in
                (try? result.get()).map { AwaitedMovie(of: $0, from: live.recorder) }
            }
            self.state.withLock { $0.unanswered -= 1 }
            // the camera's frames must not wait for an encoder and a disk
            NamedThread(name: "vcap-photo") {
                let outcome = self.write(result, job, movie)
                switch outcome {
                case .success(let photo):
                    let kind = job.live != nil ? "live photo" : "photo"
                    Console.shared.notice("\(kind) \(photo.paths.joined(separator: ", "))")
                case .failure(let failure):
                    // who asked may be gone by now
                    Self.warn(of: failure)
                }
                completion(outcome)
                self.state.withLock { state in
                    state.pending -= 1
                    if job.live != nil { state.pendingLive -= 1 }
                    // files that are there are seen; names of those that are not may be used again
                    state.names.subtract(job.files)
                }
            }.detach()
        }
    }

    private static func warn(of failure: CommandFailure) {
        let isThere = failure.message.hasPrefix("the photo ")
        Console.shared.warning(
            isThere ? failure.message : "no photo was taken: \(failure.message)")
    }

    /// Takes no more, and waits until all are on the disk; live photos end with what there is.
    func finish() {
        state.withLock { $0.isEnding = true }
        state.wait { $0.unanswered == 0 ? () : nil }
        live?.recorder.stop()
        state.wait { $0.pending == 0 ? () : nil }
    }

    private func begin(_ request: PhotoRequest) throws(CommandFailure) -> Job {
        guard let output else {
            throw CommandFailure(
                .usage,
                "this recording has no camera to take a photo with (where --filter changes frames, none is "
                    + "taken: it would show them as they came)")
        }
        let form = try form(of: request)
        if request.hasDepth { try checkDepth(of: request, output) }
        if let path = request.path {
            if PhotoFileType(path: path) == nil {
                throw CommandFailure(
                    .usage,
                    "cannot say the kind of picture of \(path) by its ending: use .jpg, .png, .heic or .dng"
                )
            }
            if PhotoFileType(path: path) == .dng, output.format.bayer == nil {
                throw CommandFailure(
                    .usage,
                    MediaError.noRawPhoto(
                        output.origin.name, "delivers \(output.format.codingName)"
                    ).message)
            }
            try form?.check(path)
            if form != nil, let taken = Self.files(form, path).first(where: OutputPath.exists) {
                throw CommandFailure(.cannotCreate, "\(taken) exists: choose another name")
            }
            let names = state.read { $0.names }
            if let taken = Self.files(form, path).first(where: names.contains) {
                throw CommandFailure(
                    .cannotCreate,
                    "\(taken) is a file of another photo that is being written: choose another name"
                )
            }
        }
        guard let path = reserve(request.path, form) else {
            if state.read({ $0.isEnding }) {
                throw CommandFailure(.failedRunning, "the recording is ending: no photo is taken")
            }
            let most = form == nil ? Self.mostAtOnce : Self.mostLiveAtOnce
            throw CommandFailure(
                .failedRunning, "\(most) photos are not on the disk yet; wait a moment for them")
        }
        guard let form, let live else {
            return Job(output: output, path: path, live: nil, hasDepth: request.hasDepth)
        }
        return Job(
            output: output, path: path,
            live: (live.recorder, LivePhotoFiles(form, path: path)), hasDepth: request.hasDepth)
    }

    private func checkDepth(
        of request: PhotoRequest, _ output: PhotoOutput
    ) throws(CommandFailure) {
        guard output.isDepthDataDeliverySupported else {
            throw CommandFailure(
                .usage,
                "this recording has no depth camera (Z16, or Y16 with --depth) beside one that shows light: start it "
                    + "with both; the depth of --stereo is in the movie alone"
            )
        }
        guard let path = request.path, PhotoFileType(path: path) != .jpeg else { return }
        throw CommandFailure(
            .usage, "the depth of a photo's moment (--depth) lies in a JPEG: use .jpg for \(path)")
    }

    /// Counts a photo as asked for.
    /// - Returns: its path; nil where too many are not on the disk yet, or no more are taken.
    private func reserve(_ path: String?, _ form: LivePhotoForm?) -> String? {
        // values are kept in a PNG
        let ending = form == nil && output?.format.depth != nil ? "png" : "jpg"
        return state.withLock { state in
            let isFull =
                form == nil
                ? state.pending - state.pendingLive >= Self.mostAtOnce
                : state.pendingLive >= Self.mostLiveAtOnce
            guard !isFull, !state.isEnding else { return nil }
            let names = state.names
            let chosen =
                path
                ?? PathPattern("\(stem.escaped).photo-%v.\(ending)").path(at: 0) { path in
                    Self.files(form, path).contains {
                        names.contains($0) || OutputPath.exists($0)
                    }
                }
            state.unanswered += 1
            state.pending += 1
            if form != nil { state.pendingLive += 1 }
            state.names.formUnion(Self.files(form, chosen))
            return chosen
        }
    }

    private static func files(_ form: LivePhotoForm?, _ path: String) -> [String] {
        form.map { LivePhotoFiles($0, path: path).paths } ?? [path]
    }

    private func form(of request: PhotoRequest) throws(CommandFailure) -> LivePhotoForm? {
        guard let wanted = request.live else { return nil }
        guard let live else {
            throw CommandFailure(
                .usage, "this recording holds nothing for live photos: start it with --live")
        }
        if case .form(let form) = wanted { return form }
        return live.form
    }

    private func write(
        _ result: Result<CapturedPhoto, MediaError>, _ job: Job, _ movie: AwaitedMovie?
    ) -> Result<PhotoAnswer, CommandFailure> {
        let path = job.path
        let photo: CapturedPhoto
        do throws(MediaError) { photo = try result.get() } catch {
            return .failure(CommandFailure(error, while: .writing))
        }
        // first, because the movie may end meanwhile, and its report with it
        let name = reportName(path)
        recorder.notePhoto(name, at: photo.presentationTime)
        do throws(MediaError) {
            if let (_, files) = job.live, let movie {
                return try write(photo, files, movie)
            }
            // a path without a form of a photo was refused when it was asked for
            let type = PhotoFileType(path: path) ?? .jpeg
            let bytes = try photo.fileData(as: type, software: "vcap \(Verbs.versionNumber)")
            try TemporaryOutput(path: path, overwrites: false).write(bytes)
            photo.depth?.warn(of: path)
            return .success(PhotoAnswer(paths: [path], photo: photo))
        } catch {
            recorder.forgetPhoto(name, at: photo.presentationTime)
            let failure = CommandFailure(error, while: .writing)
            return .failure(
                error.code == .alreadyExists
                    ? CommandFailure(failure.code, "\(path) exists: choose another name") : failure)
        }
    }

    /// How the take's report names a file: those beside the movie without their folder.
    private func reportName(_ path: String) -> String {
        String(path.hasPrefix(stem) ? path.split(separator: "/").last ?? "" : path[...])
    }

    /// - Throws: what keeps the photo from being written; where only its movie is missing, that is the result.
    private func write(
        _ photo: CapturedPhoto, _ files: LivePhotoFiles, _ awaited: AwaitedMovie
    ) throws(MediaError) -> Result<PhotoAnswer, CommandFailure> {
        let still = try files.writeStill(photo, overwrites: false)
        var movie: LivePhotoMovie?
        do throws(MediaError) {
            let there = try awaited.wait()
            movie = there
            _ = try files.writeMovie(there, of: still, overwrites: false)
            files.warn(of: there)
            note(movie, of: photo, files, nil)
            photo.depth?.warn(of: files.path)
            return .success(PhotoAnswer(paths: files.paths, movie: there, photo: photo))
        } catch {
            let failure = files.withoutMovie(error)
            let isThere = files.paths.dropFirst().contains(where: OutputPath.exists)
            if let movie, isThere { files.warn(of: movie) }
            note(movie, of: photo, files, failure.message)
            return .failure(failure)
        }
    }

    /// For the take's report, also where a file is missing.
    private func note(
        _ movie: LivePhotoMovie?, of photo: CapturedPhoto, _ files: LivePhotoFiles,
        _ failure: String?
    ) {
        // without a movie there is nothing but the photo
        let paths = failure == nil ? files.paths : files.paths.filter(OutputPath.exists)
        recorder.noteLiveMovie(
            TakeReport.LiveMovie(movie, paths: paths.map(reportName), failure: failure),
            of: reportName(files.path), at: photo.presentationTime)
    }
}
