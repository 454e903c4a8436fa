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
        var taken: [String: String] = [:]
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
            let isCut = start.value > 0
            if isCut { settings.range = MediaTimeRange(from: start, to: length) }
            let name = Self.name(of: asset.path, encodesVideo: isCut && recording.hasVideo)
            if name != Self.name(of: asset.path) {
                notes.append(
                    "\(folder)\(name) is no .webm, because what has to be cut is encoded, and vcap "
                        + "encodes nothing that a .webm holds.")
            }
            if let other = taken.updateValue(asset.path, forKey: name) {
                throw Self.sameName(other, asset.path, folder + name)
            }
            // AAC would begin a whole Matroska file late by what its decoder cuts off
            if isCut, OutputContainer(path: name) == .matroska { settings.audio = .codec(.flac) }
            let path = try Self.output(
                paths, folder, replacesExisting: replacesExisting, name: name)
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
                throw sameName(other, input, folder + name)
            }
        }
        guard isFolder(folder, mustExist: true) else { return }
        for input in inputs {
            _ = try output(
                inputs, folder, replacesExisting: replacesExisting, name: name(of: input))
        }
    }

    private static func sameName(
        _ one: String, _ other: String, _ path: String
    ) -> CommandFailure {
        CommandFailure(
            .usage, "\(one) and \(other) would both become \(path): rename one of them")
    }

    /// Whether a path is meant as a folder.
    static func isFolder(_ path: String, mustExist: Bool = false) -> Bool {
        var info = stat()
        if !mustExist, path.hasSuffix("/") { return true }
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// The same name; of a kind of file that is not written, Matroska.
    private static func name(of input: String, encodesVideo: Bool = false) -> String {
        let name = input.split(separator: "/").last.map(String.init) ?? input
        let container = OutputContainer(path: name)
        let isWritten = container != nil && !(container == .webm && encodesVideo)
        return isWritten ? name : ConvertOutputs.name(of: name) + ".mkv"
    }

    private static func output(
        _ inputs: [String], _ folder: String, replacesExisting: Bool, name: String
    ) throws(CommandFailure) -> String {
        try OutputPath(
            replacesExisting: replacesExisting, inputs: inputs, folders: .ofThisProcess,
            endings: [OutputPath.ending(of: name)]
        ).prepare((folder + name).escaped)
    }
}
