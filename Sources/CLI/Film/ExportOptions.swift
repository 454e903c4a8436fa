import Compose
import Media

/// The options of making a movie of a film, the same for `compose`, `export` and `record --then`.
enum ExportOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "the movie to make (.mp4, .mov, .mkv, .webm, .ts; with --preset audio .m4a, .mka too), an animation (.gif), or a "
            + "project (.vcap.json5, .otio); strftime patterns and %v, a counter, are replaced, folders made"
    )
    static let overwrite = Switch("y", "overwrite", "replace an existing file")
    static let preset = Option<String>(
        nil, "preset", .presetName,
        "greatest size, and codecs: smaller films are not made larger (-s does); highest keeps the film's "
            + "size, audio writes audio only, passthrough copies without encoding; or the NAME of one of the "
            + "configuration's presets",
        default: .value(ExportPreset.highest.name))
    static let presetNames = ExportPreset.all.map(\.name)
    static let copy = Option<String>(
        nil, "copy", .choice(["auto", "never", "only"]),
        "whether frames that nothing is drawn over or changed in are copied from the clips as they are coded: auto does "
            + "for clips of the film's size and colours and of its codec, H.264 or HEVC, without a coding option besides "
            + "--codec, and encodes the others; never encodes all; only is --preset passthrough",
        default: .value("auto"))
    static let range = Option<TimeSpan>(
        nil, "range", .timeSpan, "only this part of the film", default: .described("all of it"))
    static let loudness = Option<Double>(
        nil, "loudness", .loudness,
        "how loud the whole film is made (EBU R 128; -16 for streaming, -23 for broadcasting); its "
            + "peaks stay below -1 dBTP", default: .described("as the volumes say"))
    static let networkReady = Switch(
        nil, "network-ready",
        "let players begin before they have all of the film (mp4, mov: the index in front)")
    static let still = Option<MediaTime>(
        nil, "still", .instant,
        "write the frame at this time as a picture (.png, .jpg) instead; of several ones numbered by %02d in -o",
        isRepeatable: true)
    static let guides = Switch(
        nil, "guides",
        "draw the safe areas for action and graphics (EBU R 95) and the middle over the frame of --still"
    )
    static let contactSheet = Option<String>(
        nil, "contact-sheet", .path(),
        "also write a picture (.png, .jpg) with frames from all over the film; without -o nothing else"
    )
    static let waveform = Option<String>(
        nil, "waveform", .path(),
        "also write a picture (.png, .jpg) of the film's audio all along, with its loudness; without -o nothing else"
    )
    static let fast = Switch(
        nil, "fast",
        "a draft: frames half as wide and high, coded as quickly as the codec can; nothing is copied"
    )
    static let keepsLight = Switch(
        nil, "hdr-png",
        "keep the light of an HDR film in the pictures of --still and --contact-sheet: a PNG of 16 bits that states it "
            + "(cICP), instead of SDR")
    static let plan = Switch(nil, "plan", "say what would be done, and do nothing")
    static let planPicture = Option<String>(
        nil, "plan-svg", .path("FILE.svg"),
        "the plan with the film's tracks as a drawing, and do nothing else")
    static let progress = Option<ProgressTarget>(
        nil, "progress", .progressTarget, "write progress reports there")
    static let progressFormat = Option<String>(
        nil, "progress-format", .choice(ProgressReport.Form.allCases.map(\.rawValue)),
        "form of the reports", default: .value(ProgressReport.Form.keyValue.rawValue))

    static let group = Command.Group(
        title: "Export",
        options: [
            output.spec, overwrite.spec, preset.spec, copy.spec, range.spec, loudness.spec,
            networkReady.spec,
            fast.spec, still.spec, guides.spec,
            contactSheet.spec, waveform.spec, keepsLight.spec,
            plan.spec, planPicture.spec, progress.spec, progressFormat.spec,
            StandardOptions.json.spec,
        ])
}

extension ValueKind where Value == String {
    /// One of vcap's, or a name that the configuration may know.
    fileprivate static var presetName: ValueKind {
        let own = ExportOptions.presetNames
        return ValueKind(
            own.joined(separator: "|") + "|NAME",
            expected: "one of " + own.joined(separator: ", ")
                + ", or a preset of the configuration",
            completion: .words(own)
        ) { OwnPresets.isName($0) ? $0 : nil }
    }
}

extension ValueKind where Value == Double {
    /// A programme loudness: -40…-5 LUFS.
    static var loudness: ValueKind {
        ValueKind("LUFS", expected: "a loudness from -40 to -5 LUFS, such as -16") { text in
            let digits = text.lowercased().hasSuffix("lufs") ? String(text.dropLast(4)) : text
            return Double(digits).flatMap { (-40 ... -5).contains($0) ? $0 : nil }
        }
    }
}
