import Compose
internal import Glibc
import Media
import Reading

/// A film, or with `--data` one for each row of a table.
struct FilmSeries: Sendable {
    /// What one of them is made with.
    struct Item: Sendable {
        var arguments: Arguments
        var variables: ProjectVariables
        /// What is read for any of them beside its own files, and never written over.
        var guarded: [String] = []
        /// What fills the names of outputs.
        fileprivate var values: [String: String] = [:]
    }

    let arguments: Arguments
    /// The project or template with the places that are filled; nil: there is none.
    let project: String?

    /// - Parameters:
    ///   - timeline: an item's.
    ///   - check: finds out what keeps an item from being made, before the first one is, and names the files that are
    ///     read for it.
    ///   - make: makes one.
    func run(
        timeline: (Item) async throws -> Timeline,
        check: (Item, Timeline) async throws -> [String],
        make: (Item) async throws -> ExitCode
    ) async throws -> ExitCode {
        // until something is written nothing has to be ended
        SignalListener.endBeforeWriting()
        var own = Item(
            arguments: arguments,
            variables: ProjectVariables(try VariableOptions.values(arguments)))
        own.guarded = [project].compactMap(\.self)
        guard let path = try arguments(VariableOptions.data) else {
            if arguments.isTyped(VariableOptions.rows.spec) {
                throw CommandFailure(
                    .usage, "--rows is for the rows of --data, and there is none: leave it out")
            }
            if project == nil, arguments.isTyped(VariableOptions.set.spec) {
                throw CommandFailure(
                    .usage, "--set fills the texts of a --template, and there is none: leave it out"
                )
            }
            return try await make(try filledOnce(own))
        }
        guard let project else {
            throw CommandFailure(
                .usage, "--data fills the texts of a --template, and there is none: leave it out")
        }
        own.guarded.append(path)
        let state = FileState(project)
        let (items, others) = try await items(of: path, project, own)
        try requireNames(items)
        if items.count > 1, case .file(let file)? = try arguments(ExportOptions.progress) {
            throw CommandFailure(
                .usage,
                "--progress \(file) is one file, and --data makes several films: give - or fd:N, or leave it out"
            )
        }
        // hours may pass before the last one
        var inputs: Set<String> = []
        let begin = HostClock().now()
        for (index, (row, item)) in items.enumerated() {
            if HostClock().now() - begin > .seconds(1), isatty(STDERR_FILENO) == 1 {
                Console.shared.status("checking film \(index + 1) of \(items.count)")
            }
            let read = try await inRow(row, of: path, made: nil) {
                try await check(item, timeline(item))
            }
            inputs.formUnion(read)
        }
        if isatty(STDERR_FILENO) == 1 { Console.shared.status("") }
        // what rows read that are made another time, or the project without any
        for other in others + [own] {
            inputs.formUnion((try? await timeline(other))?.filePaths ?? [])
        }
        let guarded = own.guarded + inputs
        for (row, item) in items {
            try await inRow(row, of: path, made: nil) {
                for name in names(item) { try OutputPath.requireOther(than: guarded, name) }
            }
        }
        for (index, (row, item)) in items.enumerated() {
            var item = item
            item.guarded = guarded
            guard index == 0 || FileState(project) == state else {
                throw CommandFailure(
                    .badData,
                    "\(project) was changed while its films were made; \(Amounts.count(index, "film")) made before: make "
                        + "the others with --rows \(row.number)..")
            }
            if items.count > 1 {
                Console.shared.notice("film \(index + 1) of \(items.count), row \(row.number)")
            }
            SignalListener.endBeforeWriting()
            let code = try await inRow(row, of: path, made: index) { try await make(item) }
            if code != .done { return code }
        }
        return .done
    }

    private func items(
        of path: String, _ project: String, _ own: Item
    ) async throws -> (wanted: [(DataTable.Row, Item)], others: [Item]) {
        let table = try DataTable(path: path)
        guard ProjectForm(path: project) == .project else {
            throw CommandFailure(
                .usage, "\(project) has no variables, which only projects (.vcap.json5) have")
        }
        let ofProject = Set(try ProjectFile.places(in: project))
        let places = ofProject.union(outputPlaces)
        let common = try ProjectFile.values(in: project, filling: own.variables)
        try requireValues(for: Set(common.keys).union(table.columns))
        if let name = own.variables.values.keys.sorted().first(where: { !places.contains($0) }) {
            throw CommandFailure(
                .usage, "--set gives \(name), and neither \(project) nor -o has a place {\(name)}")
        }
        let idle = table.columns.filter { !places.contains($0) }
        guard idle.count < table.columns.count else {
            let near = table.columns.lazy.compactMap { column in
                nearest(to: column.lowercased(), among: places.sorted()).map { (column, $0) }
            }.first
            throw CommandFailure(
                .usage,
                "no text of \(project) has a place for a column of \(path) "
                    + "(\(table.columns.map { "{\($0)}" }.joined(separator: ", ")))"
                    + (near.map { "; is the column \($0.0) meant for {\($0.1)}?" } ?? ""))
        }
        if !idle.isEmpty {
            Console.shared.warning(
                "\(Amounts.count(idle.count, "column")) of \(path) without a place: "
                    + idle.joined(separator: ", "))
        }
        let wanted = try arguments(VariableOptions.rows)
        let ends = wanted?.ranges.map { $0.upperBound < .max ? $0.upperBound : $0.lowerBound }
        if let last = ends?.max(), last > table.rows.count {
            throw CommandFailure(
                .usage, "--rows names row \(last), and \(path) has \(table.rows.count)")
        }
        let all = table.rows.map { row -> (DataTable.Row, Item) in
            var item = own
            item.variables.values.merge(row.values) { $1 }
            let values = item.variables.values
            item.values = common.merging(values) { $1 }
            item = filled(item, item.values)
            item.variables.values = values.filter { ofProject.contains($0.key) }
            return (row, item)
        }
        func isWanted(_ row: DataTable.Row) -> Bool { wanted?.contains(row.number) ?? true }
        return (
            all.filter { isWanted($0.0) }, all.filter { !isWanted($0.0) }.map(\.1)
        )
    }

    /// Options in which variables are filled.
    private static let outputs = [
        ExportOptions.output.spec, ExportOptions.contactSheet.spec, ExportOptions.waveform.spec,
        ExportOptions.planPicture.spec,
    ]

    private var outputPlaces: [String] {
        Self.outputs.flatMap { arguments.entries[$0.long]?.texts ?? [] }
            .flatMap { TextParts.places(in: $0) }
    }

    /// Of a single film: places in the names of outputs are filled where its project has places as well.
    private func filledOnce(_ item: Item) throws -> Item {
        guard let project, ProjectForm(path: project) == .project, !outputPlaces.isEmpty,
            try !item.variables.values.isEmpty || !ProjectFile.places(in: project).isEmpty
        else { return item }
        let values = try ProjectFile.values(in: project, filling: item.variables)
        try requireValues(for: Set(values.keys))
        var result = filled(item, values)
        let ofProject = Set(try ProjectFile.places(in: project))
        let onlyOutputs = item.variables.values.keys.filter {
            !ofProject.contains($0) && outputPlaces.contains($0)
        }
        for name in onlyOutputs { result.variables.values[name] = nil }
        return result
    }

    /// - Throws: where an output's name has a place that nothing fills.
    private func requireValues(for names: Set<String>) throws(CommandFailure) {
        guard let missing = outputPlaces.first(where: { !names.contains($0) }) else { return }
        let near = nearest(to: missing, among: names.sorted())
        throw CommandFailure(
            .usage,
            "-o has a place {\(missing)}, for which there is no value; "
                + (near.map { "did you mean {\($0)}?" } ?? "give it one, or leave the braces out"))
    }

    /// With variables filled in the names of outputs.
    private func filled(_ item: Item, _ values: [String: String]) -> Item {
        var item = item
        for option in Self.outputs {
            guard let texts = item.arguments.entries[option.long]?.texts else { continue }
            item.arguments.entries[option.long]?.texts = texts.map {
                TextParts.filled($0, with: values)
            }
        }
        return item
    }

    /// The files that an item writes.
    private func names(_ item: Item) -> [String] {
        Self.outputs.compactMap { item.arguments.entries[$0.long]?.texts.last }
            .filter { !$0.contains("%v") }
    }

    /// - Throws: where two rows have one name, or a film is there already.
    private func requireNames(_ items: [(DataTable.Row, Item)]) throws(CommandFailure) {
        var known: [String: Int] = [:]
        var present: [String] = []
        for (row, item) in items {
            for option in Self.outputs {
                guard let name = item.arguments.entries[option.long]?.texts.last else { continue }
                if name.split(separator: "/", omittingEmptySubsequences: false).last?.hasPrefix(".")
                    ?? false, let typed = arguments.entries[option.long]?.texts.last,
                    !(typed.split(separator: "/").last ?? "").hasPrefix(".")
                {
                    throw CommandFailure(
                        .usage,
                        "row \(row.number) of the table leaves nothing of the name \(typed): give it a value, or "
                            + "put another variable into \(option.name)")
                }
                let typed = arguments.entries[option.long]?.texts.last ?? ""
                if let long = TextParts.places(in: typed).first(where: {
                    TextParts.isTooLong(item.values[$0] ?? "")
                }) {
                    throw CommandFailure(
                        .usage,
                        "row \(row.number) of the table has a {\(long)} that is too long for a file's name: put a "
                            + "shorter variable into \(option.name)")
                }
                guard !name.contains("%v") else { continue }
                if let other = known.updateValue(row.number, forKey: Self.place(name)) {
                    throw CommandFailure(
                        .usage,
                        "the rows \(other) and \(row.number) both write \(name): put a variable that differs "
                            + "between them into \(option.name), or %v, a counter")
                }
                if access(name, F_OK) == 0 { present.append(name) }
            }
        }
        guard let first = present.first, !arguments.isOn(ExportOptions.overwrite),
            !arguments.isOn(ExportOptions.plan)
        else { return }
        throw CommandFailure(
            .cannotCreate,
            "\(present.count) of the \(items.count) films are there already, such as \(first): -y replaces "
                + "them, --rows leaves rows out")
    }

    /// What names of one file have in common: its folder, links followed, and its name.
    private static func place(_ path: String) -> String {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        if let real = Timeline.fullPath(folder) { return real + "/" + name }
        // it will be made
        var parts: [Substring] = []
        for part in OutputPath.absolute(folder).split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/") + "/" + name
    }

    /// Says which row it was that failed.
    private func inRow<Result>(
        _ row: DataTable.Row, of path: String, made: Int?, _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch let error as MediaError
            where error.code == .cancelled
        {
            Console.shared.warning(
                "ended by a signal at row \(row.number); \(Amounts.count(made ?? 0, "film")) made before: continue with "
                    + "--rows \(row.number)..")
            throw error
        } catch {
            let state =
                made.map {
                    $0 == 0 ? "; no film is made" : "; \(Amounts.count($0, "film")) made before"
                }
                ?? "; no film is made"
            Console.shared.warning("row \(row.number) (\(path):\(row.line)) cannot be made\(state)")
            throw error
        }
    }
}

/// Names of files with places `{name}`.
enum TextParts {
    static func places(in text: String) -> [String] { pieces(of: text).compactMap(\.name) }

    /// Values become names: what would lead into another folder or hide a file does not. Braces of a value are
    /// its own.
    static func filled(_ text: String, with values: [String: String]) -> String {
        pieces(of: text).map { piece in
            piece.name.flatMap { values[$0] }.map(fileName) ?? piece.text
        }.joined()
    }

    /// Texts, and places with the names in them.
    private static func pieces(of text: String) -> [(text: String, name: String?)] {
        var pieces: [(text: String, name: String?)] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append((String(rest[..<open]), nil))
            pieces.append(
                (String(rest[open...close]), String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        return pieces + [(String(rest), nil)]
    }

    /// Bytes of a value in a name: a whole name has at most 255.
    private static let longest = 120

    static func isTooLong(_ value: String) -> Bool { value.utf8.count > longest }

    private static func fileName(_ value: String) -> String {
        // longer ones have been refused
        var clean = String(value.map { $0 == "/" || $0.isNewline || $0 == "\0" ? "-" : $0 })
        if clean.hasPrefix(".") { clean = "_" + clean.dropFirst() }
        while clean.utf8.count > longest { clean.removeLast() }
        return clean.replacing("%", with: "%%")
    }
}
