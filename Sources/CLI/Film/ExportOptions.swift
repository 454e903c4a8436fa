import Compose
import Media
import Writer

/// The options of making a movie of a film, the same for `compose`, `export` and `record --then`.
enum ExportOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "the movie to make (.mp4, .mov, .mkv, .ts), or a project (.vcap.json5, .otio)")
    static let overwrite = Switch("y", "overwrite", "replace an existing file")
    static let preset = Option<String>(
        nil, "preset", .choice(ExportPreset.all.map(\.name)),
        "size and codecs; highest keeps the film's size, audio makes sound alone",
        default: .value(ExportPreset.highest.name))
    static let range = Option<TimeSpan>(
        nil, "range", .timeSpan, "only this part of the film", default: .described("all of it"))
    static let still = Option<MediaTime>(
        nil, "still", .instant, "write the frame at this time as a picture (.png, .jpg) instead")
    static let contactSheet = Option<String>(
        nil, "contact-sheet", .path(),
        "also write a picture (.png, .jpg) with frames from all over the film")
    static let plan = Switch(nil, "plan", "say what would be done, and do nothing")
    static let progress = Option<ProgressTarget>(
        nil, "progress", .progressTarget, "write progress reports there")
    static let progressFormat = Option<String>(
        nil, "progress-format", .choice(ProgressReport.Form.allCases.map(\.rawValue)),
        "form of the reports", default: .value(ProgressReport.Form.keyValue.rawValue))

    static let group = Command.Group(
        title: "Export",
        options: [
            output.spec, overwrite.spec, preset.spec, range.spec, still.spec, contactSheet.spec,
            plan.spec, progress.spec, progressFormat.spec, StandardOptions.json.spec,
        ])
}
