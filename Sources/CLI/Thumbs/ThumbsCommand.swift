import Compose
internal import Glibc
import Media
import Reading

/// Makes pictures of a movie or a project at several times, as files of their own or as a storyboard.
struct ThumbsCommand: Sendable {
    let plan: ThumbsPlan

    /// What pictures are made of.
    private struct Source {
        let generator: ImageGenerator
        /// Files that are read.
        let paths: [String]
        /// The film that they are of; nil: they are a movie's.
        var film: Film?
    }

    func run() async throws -> ExitCode {
        let source = try await open()
        let (times, end) = try plan.times(in: source.generator.timeRange)
        var outputs = try ConvertOutputs(
            plan.pattern, inputs: [plan.input], kept: source.paths, replaces: plan.replaces)
        if let film = source.film {
            outputs.approve = { path throws(CommandFailure) in
                try FilmPictures.require(path, outside: film)
            }
        }
        switch plan.output {
        case .pictures(let form):
            try await writePictures(of: source.generator, times, form, outputs)
        case .storyboard:
            try await writeStoryboard(of: source.generator, times, until: end, outputs)
        }
        return .done
    }

    private func open() async throws -> Source {
        let settings = ImageGeneratorSettings(maximumSize: plan.box)
        if ProjectForm(path: plan.input) != nil {
            let film = try await ProjectCommand.film(
                plan.input, allowing: plan.mediaRoots, filling: plan.variables)
            for note in film.notes { Console.shared.detail(note) }
            for warning in film.warnings { Console.shared.warning(warning) }
            return Source(
                generator: try ImageGenerator(film: film, settings: settings),
                paths: film.inputPaths, film: film)
        }
        let path = plan.input
        let asset = try await NamedThread.run("vcap-work") { try Asset.load(path) }
        for sentence in asset.unfinished(becoming: "shown")
            + asset.incompleteness(becoming: "shown")
        {
            Console.shared.warning(sentence)
        }
        return Source(
            generator: try ImageGenerator(asset: asset, settings: settings), paths: [path])
    }

    // MARK: Pictures

    private func writePictures(
        of generator: ImageGenerator, _ times: [MediaTime], _ form: FilmStills.Form,
        _ outputs: ConvertOutputs
    ) async throws {
        var pictures = NumberedPictures(
            outputs.names(for: plan.input, endings: FilmPictures.endings), count: times.count,
            replaces: plan.replaces)
        try pictures.check()
        let images = generator.images(for: times).makeAsyncIterator()
        var iterator = images
        do {
            while let element = await iterator.next() {
                let bytes = try form.bytes(of: try element.image)
                try pictures.write(bytes, of: element.requestedTime)
                status(pictures.made.count, of: times.count)
            }
        } catch {
            hideStatus()
            pictures.sayMade(of: times.count)
            throw error
        }
        hideStatus()
        Console.shared.notice(Amounts.count(Int64(pictures.made.count), "picture"))
        guard plan.writesJSON else {
            return Console.shared.result(pictures.made.map { $0.path + "\n" }.joined())
        }
        let document = JSONValue.members([
            "schema": "vcap.thumbs/1", "pictures": pictures.json,
        ])
        Console.shared.result(document.pretty + "\n")
    }

    // MARK: Storyboard

    private func writeStoryboard(
        of generator: ImageGenerator, _ times: [MediaTime], until end: MediaTime,
        _ outputs: ConvertOutputs
    ) async throws {
        var names = outputs.names(for: plan.input, endings: ["vtt"])
        // refused before it is made: how many sheets there will be does not depend on the size of its pictures
        let fixed = names
        let count = try Storyboard(times: times, end: end, tile: PixelSize(1, 1)).sheetCount
        _ = try names.making { _ = try Self.files($0, sheets: count, fixed, outputs) }
        var images: [PixelBuffer] = []
        var iterator = generator.images(for: times).makeAsyncIterator()
        var board: Storyboard?
        var sheets: [[UInt8]] = []
        func finishSheet() throws {
            guard let board, !images.isEmpty else { return }
            sheets.append(try FilmStills.Form.jpeg.bytes(of: board.sheet(images)))
            images = []
        }
        var done = 0
        while let element = await iterator.next() {
            let image = try element.image
            if board == nil {
                board = try Storyboard(
                    times: times, end: end, tile: PixelSize(image.width, image.height))
            }
            images.append(image)
            done += 1
            if let board, images.count == board.columns * board.rows { try finishSheet() }
            status(done, of: times.count)
        }
        try finishSheet()
        hideStatus()
        guard let board else { return }
        let coded = sheets
        let made = try names.making { path -> [String] in
            let files = try Self.files(path, sheets: coded.count, fixed, outputs)
            for (sheet, bytes) in zip(files.sheets, coded) { try sheet.file.write(bytes) }
            // last: who finds it finds its sheets
            let text = board.text { Self.name(of: files.sheets[$0].path) }
            try files.text.write(Array(text.utf8))
            return files.sheets.map(\.path)
        }
        Console.shared.notice(
            "\(Amounts.count(Int64(times.count), "picture")) on \(Amounts.count(Int64(coded.count), "sheet"))"
        )
        guard plan.writesJSON else { return Console.shared.result(made.path + "\n") }
        let document = JSONValue.members([
            "schema": "vcap.storyboard/1",
            "path": .string(made.path),
            "sheets": .array(made.result.map { .string($0) }),
            "pictures": .integer(Int64(times.count)),
            "width": .integer(Int64(board.tile.width)),
            "height": .integer(Int64(board.tile.height)),
        ])
        Console.shared.result(document.pretty + "\n")
    }

    /// The files of a storyboard, each of which may be written.
    private static func files(
        _ path: String, sheets: Int, _ names: OutputNames, _ outputs: ConvertOutputs
    ) throws(CommandFailure) -> (text: WholeFile, sheets: [(path: String, file: WholeFile)]) {
        var files: [(path: String, file: WholeFile)] = []
        for number in 1...max(1, sheets) {
            let sheet = sheet(number, of: path)
            try names.requireReplaceable(sheet)
            try outputs.approve(sheet)
            files.append((sheet, try WholeFile(sheet, replacesExisting: names.replacesExisting)))
        }
        return (try WholeFile(path, replacesExisting: names.replacesExisting), files)
    }

    private static func sheet(_ number: Int, of path: String) -> String {
        let digits = String(number)
        return path.dropLast(4) + "-" + String(repeating: "0", count: max(0, 3 - digits.count))
            + digits + ".jpg"
    }

    /// A file's name as an address in its own folder.
    private static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    // MARK: Reporting

    private func status(_ done: Int, of all: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        Console.shared.status("\(done) of \(Amounts.count(Int64(all), "picture"))")
    }

    private func hideStatus() {
        if isatty(STDERR_FILENO) == 1 { Console.shared.status("") }
    }
}
