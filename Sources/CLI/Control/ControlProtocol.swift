import Media
import Recording

/// What travels over a control socket: one JSON object a line, each way.
///
/// Request `{"command":"pause"}`, `{"command":"mark","text":"…"}`; answer
/// `{"schema":"vcap.ctl/1","ok":true,…}` or `{"schema":"vcap.ctl/1","ok":false,"error":"…"}`.
enum ControlProtocol {
    /// Longest line either side sends or takes (bytes).
    static let longestFrame = 65_536
    /// Longest text of a marker (bytes of UTF-8).
    static let longestMarker = 4096
    static let schema = JSONValue.string("vcap.ctl/1")

    /// The commands a recording understands.
    static let commands = [
        "pause", "resume", "toggle", "mark", "photo", "set", "get", "stop", "status",
    ]

    /// Does what a line asks and answers it.
    /// - Parameter later: gets the answer where none is returned, once, on another thread.
    static func answer(
        _ line: [UInt8], _ recording: any RecordingCommands,
        later: @escaping @Sendable (JSONValue) -> Void
    ) -> JSONValue? {
        guard String(validating: line, as: UTF8.self) != nil else {
            return failure("a request is UTF-8 text")
        }
        let request: JSONValue
        do throws(JSONFailure) { request = try JSONParser.parse(line, as: .json) } catch {
            let place = "column \(error.position.column)"
            return failure("a request is one JSON object a line; \(place): \(error.message)")
        }
        guard let command = request["command"]?.text else {
            return failure("a request needs a \"command\"")
        }
        if let camera = request["camera"], camera != .null, command != "set", command != "get" {
            return failure("only \"set\" and \"get\" take a \"camera\"", .usage)
        }
        switch command {
        case "pause": return hold(recording, changed: recording.pause())
        case "resume": return success(recording, changed: recording.resume())
        case "toggle": return hold(recording, changed: recording.toggle())
        case "mark": return mark(request["text"], recording)
        case "photo": return photo(request, recording, later: later)
        case "set", "get": return settings(request, sets: command == "set", recording, later: later)
        case "stop":
            recording.requestStop(fast: false)
            return success(recording, changed: true)
        case "status": return success(recording, changed: nil)
        default:
            return failure(
                "unknown command \"\(command)\"; known are \(commands.joined(separator: ", "))")
        }
    }

    /// A pause that nothing is there for is no pause.
    private static func hold(
        _ recording: any RecordingCommands, changed: Bool
    ) -> JSONValue {
        guard changed || !recording.isStarting else {
            return failure("nothing is recorded yet: the pause has no effect")
        }
        return success(recording, changed: changed)
    }

    private static func mark(
        _ value: JSONValue?, _ recording: any RecordingCommands
    ) -> JSONValue {
        let text = value?.text
        if value != nil, text == nil {
            return failure("a marker's \"text\" is a JSON string; leave it out for a number")
        }
        // what a reader of bytes puts in the place of what is no character
        if let text, text.unicodeScalars.contains("\u{FFFD}") || text.contains("\0") {
            return failure("a marker's text must be UTF-8 text without NUL")
        }
        if let text, text.utf8.count > longestMarker {
            return failure("a marker's text is at most \(longestMarker) bytes long")
        }
        guard recording.mark(text) else {
            return failure("nothing is being recorded at this moment: the marker is not set")
        }
        return success(recording, changed: true)
    }

    private static func photo(
        _ request: JSONValue, _ recording: any RecordingCommands,
        later: @escaping @Sendable (JSONValue) -> Void
    ) -> JSONValue? {
        let value = request["path"]
        let path = value?.text
        if let value, value != .null, path == nil {
            return failure(
                "a photo's \"path\" is a JSON string; leave it out for one beside the movie")
        }
        if let path, !path.hasPrefix("/") || path.contains("\0") {
            return failure("a photo's path begins with a slash", .usage)
        }
        if let path, path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return failure("a photo's path has no control characters", .usage)
        }
        var live: PhotoRequest.Live?
        switch (request["live"]?.boolean, request["live"]?.text) {
        case (true, _): live = .ofRecording
        case (_, let word?):
            guard let form = LivePhotoForm(rawValue: word) else {
                return failure("a live photo's form is google, apple or both")
            }
            live = .form(form)
        case (false, _): break
        case (nil, nil):
            if let value = request["live"], value != .null {
                return failure("\"live\" is true, or the form of the live photo")
            }
        }
        let depth = request["depth"] ?? .bool(false)
        guard depth == .null || depth.boolean != nil else {
            return failure("\"depth\" is true or false")
        }
        let wanted = PhotoRequest(path: path, live: live, hasDepth: depth.boolean ?? false)
        recording.takePhoto(wanted) { result in
            switch result {
            case .success(let photo):
                later(
                    .members([
                        "schema": schema, "ok": .bool(true),
                        "path": .string(photo.paths.first ?? ""),
                        "paths": .array(photo.paths.map { .string($0) }),
                        "depth": photo.photo.flatMap { photo in
                            photo.depth.map { PhotoListing.depth($0, of: photo) }
                        },
                        "live": photo.movie.map { PhotoListing.live($0, photo.paths) },
                        "status": recording.status().json,
                    ]))
            case .failure(let failure): later(Self.failure(failure.message, failure.code))
            }
        }
        return nil
    }

    /// - Parameter code: what `vcap ctl` ends with (default: 1).
    static func failure(_ message: String, _ code: ExitCode = .failedRunning) -> JSONValue {
        .members([
            "schema": schema, "ok": .bool(false), "error": .string(message),
            "exit_code": .integer(Int64(code.rawValue)),
        ])
    }

    private static func success(
        _ recording: any RecordingCommands, changed: Bool?
    ) -> JSONValue {
        .members([
            "schema": schema, "ok": .bool(true), "changed": changed.map(JSONValue.bool),
            "status": recording.status().json,
        ])
    }
}

extension RecorderState {
    /// As status, progress and the socket have it.
    var word: String { self == .idle ? Self.starting.rawValue : rawValue }
}

extension RecorderStatus {
    /// As `vcap ctl status --json` shows it.
    var json: JSONValue {
        .members([
            "state": .string(state.word),
            "duration": .number(elapsed.approximateSeconds),
            "frames": .integer(frames),
            "fps": measuredRate.map(JSONValue.number),
            "nominal_fps": nominalRate.map { .number($0.approximate) },
            "dropped": Self.causes(drops),
            "repeated": .integer(repeatedFrames),
            "waiting_for_encoder": .integer(waitingFrames),
            "audio_peak_dbfs": audioPeak.map(JSONValue.level),
            "bytes": .integer(bytesWritten),
            "seconds_left_on_disk": secondsLeft.map { .number(Double($0)) },
            "pauses": .integer(pauses),
            "paused_time": .number(pausedTime.approximateSeconds),
            "settings_by_others": .integer(settingsByOthers),
            "slates": slates == 0 ? nil : .integer(Int64(slates)),
            "last_slate": lastSlate?.json,
            "sources": .array(tracks.map(\.json)),
        ])
    }

    fileprivate static func causes(_ drops: [SampleDrop.Cause: Int]) -> JSONValue {
        let causes = drops.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        return .object(causes.map { ($0.key.rawValue, .integer($0.value)) })
    }
}

extension TakeReport.SlateEntry {
    /// As `vcap ctl status --json` and progress in JSON show it.
    var json: JSONValue {
        .members([
            "text": .string(slate.words), "time": .number(movieTime.mediaTime.approximateSeconds),
            "camera": .string(slate.camera), "title": slate.title.map { .string($0) },
            "scene": slate.scene.map { .string($0) }, "take": slate.take.map { .string($0) },
            "clock": slate.clock.map { .string($0) }, "action": slate.action.map { .string($0) },
            "allowed": slate.isAllowed.map(JSONValue.bool),
        ])
    }
}

extension RecorderStatus.Track {
    /// As `vcap ctl status --json` and progress in JSON show it.
    var json: JSONValue {
        .members([
            "name": .string(name),
            "kind": .string(mediaType.rawValue),
            "delivers": .bool(!isInterrupted),
            "silent_for": silence.map { .number($0.approximateSeconds) },
            "condition": condition.map { .string($0.kind.rawValue) },
            "condition_for": condition.map { .number($0.length.approximateSeconds) },
            "frames": .integer(frames),
            "fps": measuredRate.map(JSONValue.number),
            "dropped": RecorderStatus.causes(drops),
            "dropped_in_pauses": RecorderStatus.causes(dropsInPauses),
            "audio_peak_dbfs": audioPeak.map(JSONValue.level),
        ])
    }
}

extension JSONValue {
    /// A level (dB); JSON has no infinity, so silence is -200.
    static func level(_ level: Double) -> JSONValue { .number(max(-200, level)) }
}
