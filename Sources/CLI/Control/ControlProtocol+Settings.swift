import Capture
import Media

extension ControlProtocol {
    /// Most settings of one request (count).
    static let mostSettings = 64

    /// `set` and `get`: answered when the camera has answered.
    static func settings(
        _ request: JSONValue, sets: Bool, _ recording: any RecordingCommands,
        later: @escaping @Sendable (JSONValue) -> Void
    ) -> JSONValue? {
        var settings: [CameraSetting] = []
        if sets {
            guard let words = request["settings"]?.elements, !words.isEmpty,
                words.count <= mostSettings
            else {
                return failure(
                    "\"settings\" is an array of 1 to \(mostSettings) strings such as \"gain=4\"",
                    .usage)
            }
            for word in words {
                guard let text = word.text, let setting = CameraSetting(words: text) else {
                    let kind = ValueKind<CameraSetting>.control
                    return failure(
                        "\(word.text ?? word.compact) is no setting; expected \(kind.expected)",
                        .usage)
                }
                settings.append(setting)
            }
        }
        let camera = request["camera"]
        guard camera == nil || camera == .null || camera?.text != nil else {
            return failure(
                "\"camera\" is a JSON string; leave it out for the first camera", .usage)
        }
        recording.setCamera(settings, of: camera?.text) { result in
            switch result {
            case .success(let answer): later(Self.answer(answer, recording))
            case .failure(let failure): later(Self.failure(failure.message, failure.code))
            }
        }
        return nil
    }

    private static func answer(
        _ answer: TakeCameras.Answer, _ recording: any RecordingCommands
    ) -> JSONValue {
        .members([
            "schema": schema, "ok": .bool(true), "camera": .string(answer.camera.name),
            "id": .string(answer.camera.id),
            "settings": .array(
                answer.settings.map { setting in
                    .members([
                        "setting": .string(setting.wanted.description),
                        "granted": setting.granted.map { .string($0.description) },
                    ])
                }),
            "host_time": answer.time.map { .number($0.approximateSeconds) },
            "controls": answer.controls,
            "status": recording.status().json,
        ])
    }
}
