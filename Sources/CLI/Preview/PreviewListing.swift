import Media

/// What came of the devices of a preview, for people and programs.
enum PreviewListing {
    static func lines(_ inputs: PreviewInputs) -> [String] {
        let cameras = inputs.cameras.map { camera in
            let counts = camera.meter.counts
            let rate = counts.rate.map { ", \(Amounts.decimal($0, 1)) frames/s" } ?? ""
            let lost = counts.lost > 0 ? "\(counts.lost) lost" : "none lost"
            let shown = camera.layer.counts
            let often =
                shown.interruptions > 0
                ? ", interrupted \(Amounts.count(shown.interruptions, "time"))" : ""
            let gone = often + (shown.interruption.map { " (\($0))" } ?? "")
            return "\(camera.device.name): \(camera.size)\(rate), "
                + "\(Amounts.count(counts.frames, "frame")), \(lost)\(gone)"
        }
        let microphones = inputs.microphones.map { microphone in
            let level = microphone.levels.highest.map { "at most \(Amounts.decimal($0, 1)) dB" }
            let gone = microphone.levels.interruption.map { " (\($0))" } ?? ""
            return "\(microphone.device.name): \(level ?? "silent")\(gone)"
        }
        return cameras + microphones
    }

    static func json(_ inputs: PreviewInputs, duration: MediaTime) -> JSONValue {
        .members([
            "schema": "vcap.preview/1",
            "duration": .number(duration.approximateSeconds),
            "cameras": .array(inputs.cameras.map(json)),
            "microphones": .array(inputs.microphones.map(json)),
        ])
    }

    private static func json(_ camera: PreviewInputs.Camera) -> JSONValue {
        let (arrived, shown) = (camera.meter.counts, camera.layer.counts)
        return .members([
            "name": .string(camera.device.name),
            "id": .string(camera.device.id),
            "width": .integer(camera.size.width),
            "height": .integer(camera.size.height),
            "nominal_rate": camera.nominalRate.map { .string($0.description) },
            "measured_rate": arrived.rate.map(JSONValue.number),
            "frames": .integer(arrived.frames),
            "lost": .integer(arrived.lost),
            "preview_frames": .integer(shown.shown),
            "preview_late": .integer(shown.late),
            "interruptions": .integer(shown.interruptions),
            "interruption": shown.interruption.map { .string($0) },
        ])
    }

    private static func json(_ microphone: PreviewInputs.Microphone) -> JSONValue {
        .members([
            "name": .string(microphone.device.name),
            "id": .string(microphone.device.id),
            "sample_rate": microphone.format.map { .integer($0.sampleRate) },
            "channels": microphone.format.map { .integer($0.channels) },
            "peak_dbfs": microphone.levels.highest.map(JSONValue.number),
            "interruption": microphone.levels.interruption.map { .string($0) },
        ])
    }
}
