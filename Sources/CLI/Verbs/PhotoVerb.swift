import Capture
internal import Glibc
import Media
import Recording

extension Verbs {
    static let photo = Command(
        "photo", "take photos with a camera",
        groups: PhotoOptions.groups,
        notes: """
            The JPEG of an MJPEG camera is the camera's own, with Exif data in front; other frames are encoded, \
            upright. The frame nearest to the shutter is taken. The paths of the photos are printed on standard \
            output, everything else on standard error. While vcap records, vcap ctl photo and the key i take photos.
            A .dng is a raw photo: the values of the sensor, of a camera that hands them out (bayer_… in vcap \
            formats).
            --bracket takes its photos when frames show the exposure that was set. EV count from what the camera \
            exposes when the row begins.
            --depth-camera takes the frame of a depth camera that is nearest to the photo's, at most half a frame \
            away, and puts it into the JPEG as Dynamic Depth, which vcap depth takes out again to the unit. A photo \
            without one is written all the same (exit code 1).
            --live waits until it holds the 1.5 s before the first photo. The photo is written at once and its movie \
            1.5 s later: as one file (a JPEG with the movie behind it), as NAME.jpg (or .heic) and NAME.mov, or as \
            both, the one file then being NAME.MP.jpg.
            """,
        examples: [
            .init(line: "vcap photo -c test: -o shot.jpg", meaning: "one photo"),
            .init(
                line: "vcap photo -c test:exposure=10 --bracket -2,0,+2 -o 'row-%v.heic'",
                meaning: "three exposures of one scene, as HEIC"),
            .init(
                line: "vcap photo -c test: -a test: --live=apple --timer 3s -o me.jpg --json",
                meaning: "in three seconds a live photo with audio, me.jpg and me.mov"),
        ],
        endsBySignal: true
    ) { arguments in
        let plan = try PhotoPlan(arguments)
        do {
            let isJSON = arguments.isOn(StandardOptions.json)
            let command = PhotoCommand(plan: plan, aliases: arguments.aliases) { taken in
                guard !isJSON else { return }
                for path in taken.paths { Console.shared.result(path + "\n") }
            }
            let outcome = try await endingBySignal(command.bracket) {
                try await command.run()
            }
            if let failure = outcome.failure {
                guard let last = outcome.taken.last else { throw failure }
                // one document on standard output: the failure's
                let message = failure.message
                let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
                var ended = CommandFailure(
                    failure.code,
                    outcome.isWhole
                        ? failure.message
                        : "\(sentence); taken before: \(outcome.taken.count) of \(plan.count), up to "
                            + last.paths[0])
                ended.made = .init(key: "photos", value: PhotoListing.list(outcome.taken))
                throw ended
            }
            if isJSON { Console.shared.result(PhotoListing.json(outcome.taken).pretty + "\n") }
        } catch  where PhotoCommand.isCancellation(error) {
            throw CommandFailure(.failedRunning, "ended by a signal before a photo was taken")
        } catch { throw CommandFailure.from(error, while: .writing) }
        return .done
    }

    /// A signal ends the row: what was taken is written and reported. A second one waits for nothing.
    private static func endingBySignal(
        _ bracket: PhotoBracket,
        _ body: @escaping @Sendable () async throws -> PhotoCommand.Outcome
    ) async throws -> PhotoCommand.Outcome {
        let task = Task { try await body() }
        SignalListener.listenForEnd { number in
            guard number > 1 else { return task.cancel() }
            bracket.restore()
            Console.shared.error(
                "ended by a second signal: photos on their way, and movies of live photos, are not written"
            )
            Console.shared.flush()
            _exit(ExitCode.failedRunning.rawValue)
        }
        return try await task.value
    }
}

/// Photos that were taken, for programs.
enum PhotoListing {
    static func json(_ taken: [PhotoCommand.Taken]) -> JSONValue {
        .members(["schema": "vcap.photo/1", "photos": list(taken)])
    }

    static func list(_ taken: [PhotoCommand.Taken]) -> JSONValue { .array(taken.map(json)) }

    private static func json(_ taken: PhotoCommand.Taken) -> JSONValue {
        let photo = taken.photo
        let delay = (photo.presentationTime - photo.shutterTime).approximateSeconds
        return .members([
            "path": .string(taken.paths[0]),
            "bytes": .integer(taken.bytes),
            "camera": .string(photo.origin.identifier),
            "frame": photo.sequence.map { .integer(Int(clamping: $0)) },
            "shutter_delay": .number(delay),
            "exposure_time": photo.exposure?.duration.map { .number($0.approximateSeconds) },
            "exposure_bias": photo.exposure?.bias.map {
                .number(($0 * 1000).rounded() / 1000)
            },
            "exposure_seen": photo.isExposureSeen.map { .bool($0) },
            "own_jpeg": .bool(photo.jpeg != nil && PhotoFileType(path: taken.paths[0]) == .jpeg),
            "translated_colors": PhotoFileType(path: taken.paths[0])
                .flatMap(photo.translatedColors).map { .string($0) },
            "depth": photo.depth.map { depth($0, of: photo) },
            "live": taken.movie.map { live($0, taken.paths) },
            // of a live photo whose movie is missing
            "error": taken.failure.map { .string($0.message) },
            "paths": taken.failure == nil ? nil : .array(taken.paths.map { .string($0) }),
        ])
    }

    /// The depth of a photo's moment: how far its map is from the photo's frame, or why there is none.
    static func depth(_ depth: PhotoDepth, of photo: CapturedPhoto) -> JSONValue {
        let offset = depth.presentationTime.map { $0 - photo.presentationTime }
        return .members([
            "camera": .string(depth.origin.identifier),
            "outcome": .string(depth.outcome.rawValue),
            "missing": depth.absence.map { .string($0) },
            "offset": offset.map { .number($0.approximateSeconds) },
            "width": depth.data.map { .integer($0.width) },
            "height": depth.data.map { .integer($0.height) },
            "values": depth.data.map { AssetListing.depth($0.format) },
        ])
    }

    static func live(_ movie: LivePhotoMovie, _ paths: [String]) -> JSONValue {
        .members([
            "paths": .array(paths.map { .string($0) }),
            "still_time": .number(movie.stillTime.approximateSeconds),
            "duration": .number(movie.duration.approximateSeconds),
            "missing_before": .number(movie.missingBefore.approximateSeconds),
            "missing_after": .number(movie.missingAfter.approximateSeconds),
            "lost_frames": .integer(movie.lostFrames),
            "missing_audio": .number(movie.missingAudio.approximateSeconds),
        ])
    }
}
