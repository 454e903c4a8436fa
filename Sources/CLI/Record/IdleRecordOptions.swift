internal import Glibc
import Media
import Recording

/// Options of a recording that were typed and have nothing to act on.
struct IdleRecordOptions {
    let arguments: Arguments
    /// Whether standard input is a terminal.
    var readsKeys = isatty(STDIN_FILENO) == 1

    /// Whether a preview may open a window, which has keys of its own.
    private var readsKeysInWindow: Bool {
        guard let wish = try? arguments(RecordOptions.preview) else { return false }
        return wish == .window || wish == .kms || wish == .automatic && PreviewDisplay.hasDesktop()
    }

    /// One sentence each.
    var warnings: [String] {
        var idle: [(OptionSpec, String)] = []
        if isNone(RecordOptions.camera) {
            idle += Self.ofFrames.map { ($0, "-c none leaves the video out") }
        }
        if !isNone(RecordOptions.camera), let codec = try? arguments(RecordOptions.codec),
            codec != "h264", codec != "hevc"
        {
            idle.append(
                (RecordOptions.pressure.spec, "--codec \(codec) cannot be made faster on the way"))
            let samples =
                codec == "copy"
                ? "the camera's own sync samples stay" : "every frame is a sync sample"
            idle.append((RecordOptions.keyFrames.spec, "with --codec \(codec) \(samples)"))
        }
        if let microphones = try? arguments.all(RecordOptions.microphone), microphones.count < 2 {
            idle.append((RecordOptions.mix.spec, "no two microphones are recorded"))
        }
        idle += withoutDetection
        if isNone(RecordOptions.microphone) {
            idle.append((RecordOptions.audioCodec.spec, "-a none leaves the audio out"))
        }
        if let watched = try? arguments(RecordOptions.watch) {
            if isNone(RecordOptions.camera), watched.isSubset(of: [.black, .frozen]) {
                idle.append((RecordOptions.watch.spec, "-c none leaves the video out"))
            }
            if isNone(RecordOptions.microphone), watched == [.silent] {
                idle.append((RecordOptions.watch.spec, "-a none leaves the audio out"))
            }
        }
        if (try? arguments(RecordOptions.keys)) != "none", !readsKeys, !readsKeysInWindow {
            idle += [RecordOptions.pauseKey.spec, RecordOptions.stopKey.spec].map {
                ($0, "standard input is no terminal, so no keys are read")
            }
        }
        if (try? arguments(RecordOptions.keys)) == "none" {
            idle += [RecordOptions.pauseKey.spec, RecordOptions.stopKey.spec].map {
                ($0, "--keys none reads no keys")
            }
        }
        if arguments.entries[RecordOptions.progress.spec.long] == nil {
            idle.append((RecordOptions.progressFormat.spec, "--progress says where reports go"))
        }
        if arguments.following.isEmpty {
            idle.append((RecordOptions.prepare.spec, "there is no film without --then compose"))
        }
        return idle.filter { arguments.isTyped($0.0) }.map { "\($0.0.name) does nothing: \($0.1)" }
    }

    private var withoutDetection: [(OptionSpec, String)] {
        withoutFrames + withoutFaces
    }

    private var withoutFaces: [(OptionSpec, String)] {
        let kinds = (try? arguments(RecordOptions.detect)) ?? []
        guard !kinds.contains(.face) else { return [] }
        return [(RecordOptions.faceModel.spec, "--detect faces is what looks for them")]
    }

    private var withoutFrames: [(OptionSpec, String)] {
        guard !arguments.isOn(RecordOptions.slate) else { return [] }
        let allow = (RecordOptions.slateAllow.spec, "--slate is what follows slates")
        guard arguments.entries[RecordOptions.detect.spec.long] == nil else { return [allow] }
        return [allow]
            + [RecordOptions.detectRegion.spec, RecordOptions.detectRate.spec].map {
                ($0, "--detect or --slate says what is looked for")
            }
    }

    private static let ofFrames = [
        RecordOptions.size.spec, RecordOptions.rate.spec, RecordOptions.inputFormat.spec,
        RecordOptions.controls.spec, RecordOptions.profile.spec, RecordOptions.rotation.spec,
        RecordOptions.horizontalFlip.spec, RecordOptions.verticalFlip.spec,
        RecordOptions.depth.spec, RecordOptions.depthFilter.spec,
        RecordOptions.codec.spec, RecordOptions.bitrate.spec, RecordOptions.quality.spec,
        RecordOptions.preset.spec, RecordOptions.keyFrames.spec, RecordOptions.pressure.spec,
        RecordOptions.preview.spec, RecordOptions.timeCode.spec,
    ]

    private func isNone(_ option: Option<String>) -> Bool {
        (try? arguments.all(option)) == ["none"]
    }
}
