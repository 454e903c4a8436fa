import Compose
internal import Glibc
import Media
import Movie
import Reading

/// A copy of each recording that begins when all of them have begun.
struct AlignedCopies {
    struct Copy {
        let path: String
        let conversion: Conversion
    }

    let copies: [Copy]
    /// What copies cannot do, one sentence each.
    let notes: [String]

    /// - Parameter assets: the recordings' files, in their order.
    init(
        _ alignment: RecordingAlignment, _ assets: [Asset], folder: String,
        replacesExisting: Bool
    ) throws {
        let moment = alignment.commonStart
        var copies: [Copy] = []
        var notes: [String] = []
        let paths = alignment.recordings.map(\.path)
        for (asset, recording) in zip(assets, alignment.recordings) {
            let placement = try recording.placement.get()
            let start = max(
                MediaTime(value: 0, timescale: moment.timescale),
                placement.time(ofReference: moment))
            let length = asset.duration.scaled(to: start.timescale, rounding: .up)
            guard start < length else {
                throw CommandFailure(
                    MediaError(
                        code: .notAligned, subject: asset.path,
                        message:
                            "Cannot write copies that begin together: \(asset.path) ends before "
                            + "the last of the others begins."), while: .film)
            }
            var settings = ConversionSettings()
            settings.overwrites = replacesExisting
            settings.software = "vcap \(Verbs.versionNumber)"
            if start.value > 0 { settings.range = MediaTimeRange(from: start, to: length) }
            let path = try Self.output(
                paths, folder, replacesExisting: replacesExisting, asset.path)
            copies.append(
                Copy(path: path, conversion: Conversion(asset, settings: settings)))
            let late = (length - start).approximateSeconds * placement.drift * 1e-3
            if abs(late) >= 0.5 {
                notes.append(
                    "\(path) is exact where it begins and \(Amounts.decimal(abs(late), 0)) ms "
                        + "\(late > 0 ? "late" : "early") where it ends: copies do not correct clocks."
                )
            }
        }
        (self.copies, self.notes) = (copies, notes)
    }

    /// Refuses copies that cannot be made, before anything is read or made.
    static func check(
        _ inputs: [String], folder: String, replacesExisting: Bool
    ) throws(CommandFailure) {
        var seen: [String: String] = [:]
        for input in inputs {
            let name = name(of: input)
            if let other = seen.updateValue(input, forKey: name) {
                throw CommandFailure(
                    .usage,
                    "\(other) and \(input) would both become \(folder)\(name): rename one of them"
                )
            }
        }
        guard isFolder(folder, mustExist: true) else { return }
        for input in inputs {
            _ = try output(inputs, folder, replacesExisting: replacesExisting, input)
        }
    }

    /// Whether a path is meant as a folder.
    static func isFolder(_ path: String, mustExist: Bool = false) -> Bool {
        var info = stat()
        if !mustExist, path.hasSuffix("/") { return true }
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// The same name; of a kind of file that is not written, Matroska.
    private static func name(of input: String) -> String {
        let name = input.split(separator: "/").last.map(String.init) ?? input
        let isWritten = OutputContainer(path: name) != nil
        return isWritten ? name : ConvertOutputs.name(of: name) + ".mkv"
    }

    private static func output(
        _ inputs: [String], _ folder: String, replacesExisting: Bool, _ input: String
    ) throws(CommandFailure) -> String {
        let name = name(of: input)
        return try OutputPath(
            replacesExisting: replacesExisting, inputs: inputs, folders: .ofThisProcess,
            endings: [OutputPath.ending(of: name)]
        ).prepare((folder + name).escaped)
    }
}
