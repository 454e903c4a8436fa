import Compose
internal import Glibc
import Media

/// The pictures that are made of a film: frames of their own, a contact sheet, a waveform.
struct FilmPictures: Sendable {
    static let endings = ["png", "jpg", "jpeg"]

    /// When frames are wanted, in order; empty: none is.
    let times: [MediaTime]
    let contactSheet: String?
    var waveform: String?
    private let keepsLight: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        times = try Set(arguments.all(ExportOptions.still)).sorted()
        contactSheet = try arguments(ExportOptions.contactSheet)
        waveform = try arguments(ExportOptions.waveform)
        keepsLight = arguments.isOn(ExportOptions.keepsLight)
        isQuiet = arguments.isOn(StandardOptions.quiet)
    }

    /// Whether frames are made in the place of a movie.
    var areFrames: Bool { !times.isEmpty }

    /// The names of those beside the movie, or without one.
    var sheets: [String] { [contactSheet, waveform].compactMap(\.self) }

    /// What makes them.
    func stills(of film: Film) -> FilmStills { FilmStills(film, keepsLight: keepsLight) }

    /// What is to be said of frames in files, one sentence each.
    func notes(of film: Film) -> [String] {
        areFrames || contactSheet != nil ? stills(of: film).notes : []
    }

    // MARK: Checking

    /// - Parameter output: where frames go, if they do.
    /// - Throws: where a name says nothing of a picture, or one name is for many.
    func check(_ output: String?) throws(CommandFailure) {
        if areFrames, let output { try checkFrames(output) }
        if let contactSheet { _ = try form(of: contactSheet) }
        if let waveform { _ = try Self.plainForm(of: waveform) }
        if let contactSheet, contactSheet == waveform {
            throw CommandFailure(
                .usage, "--contact-sheet and --waveform both name \(contactSheet): give two names")
        }
    }

    private func checkFrames(_ output: String) throws(CommandFailure) {
        _ = try form(of: output)
        guard times.count > 1, !isNumbered(output) else { return }
        throw CommandFailure(
            .usage,
            "--still asks for \(times.count) frames, and \(output) is one file: put the place of a number into "
                + "the name, such as %02d")
    }

    /// Whether frames have numbers in their names.
    func isNumbered(_ output: String) -> Bool { NumberedPath(output) != nil }

    private func form(of path: String) throws(CommandFailure) -> FilmStills.Form {
        let form = try Self.plainForm(of: path)
        guard !keepsLight || form == .png else {
            throw CommandFailure(
                .usage,
                "\(ExportOptions.keepsLight.spec.name) makes a .png, and \(path) is none: give it that "
                    + "ending, or leave the option out")
        }
        return form
    }

    private static func plainForm(of path: String) throws(CommandFailure) -> FilmStills.Form {
        if let form = FilmStills.Form(path: path) { return form }
        throw CommandFailure(
            .usage, "cannot say the kind of picture of \(path) by its ending: use .png or .jpg")
    }

    /// - Parameter path: of one picture, or with the place of a number.
    /// - Throws: where the picture would be one more of numbered ones that the film is made of.
    static func require(_ path: String, outside film: Film) throws(CommandFailure) {
        let first = NumberedPath(path)?.path(1) ?? path
        guard let pattern = film.sequence(joinedBy: first) else { return }
        throw CommandFailure(
            .cannotCreate,
            "will not write \(first): it would be one of the pictures \(pattern) that the film is made of; give it "
                + "another name or folder")
    }

    // MARK: Making

    /// Frames as files of their own: one under its name, or numbered ones.
    /// - Returns: where they are, and of when.
    func writeFrames(
        of film: Film, _ names: OutputNames, _ output: String
    ) async throws -> [(path: String, time: MediaTime)] {
        let form = try form(of: output)
        guard isNumbered(output) else {
            let time = times[0]
            let stills = stills(of: film)
            let path = try await write(names) { try stills.frame(at: time, as: form) }
            return [(path, time)]
        }
        var pictures = NumberedPictures(
            names, count: times.count, replaces: names.replacesExisting)
        try pictures.check()
        let (stills, times, all) = (stills(of: film), times, pictures)
        let made = try await NamedThread.run("vcap-work") { () throws in
            var pictures = all
            do {
                try stills.eachFrame(at: times, as: form) { time, bytes throws in
                    try pictures.write(bytes, of: time)
                    status(
                        "\(pictures.made.count) of \(Amounts.count(Int64(times.count), "frame"))")
                }
            } catch {
                pictures.sayMade(of: times.count)
                throw error
            }
            return pictures.made
        }
        status("")
        return made
    }

    /// A contact sheet or a waveform that is to be made, its name found free.
    struct Sheet {
        enum Kind: String, Sendable {
            case contactSheet = "contact-sheet"
            case waveform

            var words: String { self == .waveform ? "waveform" : "contact sheet" }
        }

        let kind: Kind
        fileprivate let names: OutputNames
        fileprivate let form: FilmStills.Form
    }

    /// Before a movie is made, which may take hours: those that are wanted, under names that are free.
    /// - Parameter names: of a pattern.
    func prepareSheets(_ names: (String) -> OutputNames) throws(CommandFailure) -> [Sheet] {
        var sheets: [Sheet] = []
        if let contactSheet {
            let own = names(contactSheet)
            _ = try own.next()
            sheets.append(
                Sheet(kind: .contactSheet, names: own, form: try form(of: contactSheet)))
        }
        if let waveform {
            let own = names(waveform)
            _ = try own.next()
            sheets.append(
                Sheet(kind: .waveform, names: own, form: try Self.plainForm(of: waveform)))
        }
        return sheets
    }

    /// A sheet that was made, for machines: where it is, and of a waveform how loud it is.
    func write(_ sheet: Sheet, of film: Film) async throws -> (path: String, json: JSONValue) {
        let (stills, form, kind) = (stills(of: film), sheet.form, sheet.kind.rawValue)
        switch sheet.kind {
        case .contactSheet:
            let path = try await write(sheet.names) { try stills.contactSheet(as: form) }
            return (path, .members(["kind": .string(kind), "path": .string(path)]))
        case .waveform:
            defer { status("") }
            let measured = Lock<Loudness?>(nil)
            let path = try await write(sheet.names) {
                let made = try stills.measuredWaveform(as: form) { part in
                    status("waveform: \(Int(part * 100)) %")
                }
                measured.withLock { $0 = made.loudness }
                return made.bytes
            }
            let loudness = measured.withLock { $0 }
            let json = JSONValue.members([
                "kind": .string(kind), "path": .string(path),
                "loudness_lufs": loudness?.integrated.map(JSONValue.level),
                "true_peak_dbtp": loudness?.truePeak.map(JSONValue.level),
            ])
            return (path, json)
        }
    }

    /// - Returns: where it is.
    private func write(
        _ names: OutputNames, _ make: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> String {
        var names = names
        let replaces = names.replacesExisting
        // refused before it is made
        _ = try names.making { _ = try WholeFile($0, replacesExisting: replaces) }
        let bytes = try await NamedThread.run("vcap-work") { try make() }
        return try names.making {
            try WholeFile($0, replacesExisting: replaces).write(bytes)
        }.path
    }

    /// A line on a terminal that the next one replaces.
    private func status(_ line: String) {
        guard isatty(STDERR_FILENO) == 1, !isQuiet else { return }
        Console.shared.status(line)
    }
}
