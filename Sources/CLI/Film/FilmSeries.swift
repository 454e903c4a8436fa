import Compose
internal import Glibc
import Media

/// A film, or with `--data` one for each row of a table.
struct FilmSeries: Sendable {
    /// What one of them is made with.
    struct Item: Sendable {
        var arguments: Arguments
        var variables: ProjectVariables
    }

    let arguments: Arguments
    /// The project or template with the places that are filled; nil: there is none.
    let project: String?

    /// - Parameters:
    ///   - check: finds out what keeps an item from being made, before the first one is.
    ///   - make: makes one.
    func run(
        check: (Item) async throws -> Void, make: (Item) async throws -> ExitCode
    ) async throws -> ExitCode {
        let own = Item(
            arguments: arguments,
            variables: ProjectVariables(try VariableOptions.values(arguments)))
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
            return try await make(filled(own))
        }
        guard let project else {
            throw CommandFailure(
                .usage, "--data fills the texts of a --template, and there is none: leave it out")
        }
        let items = try await items(of: path, project, own)
        try requireNames(items)
        if items.count > 1, case .file(let file)? = try arguments(ExportOptions.progress) {
            throw CommandFailure(
                .usage,
                "--progress \(file) is one file, and --data makes several films: give - or fd:N, or leave it out"
            )
        }
        // hours may pass before the last one
        for (row, item) in items {
            try await inRow(row, of: path, made: nil) { try await check(item) }
        }
        for (index, (row, item)) in items.enumerated() {
            if items.count > 1 {
                Console.shared.notice("film \(index + 1) of \(items.count), row \(row.number)")
            }
            let code = try await inRow(row, of: path, made: index) { try await make(item) }
            if code != .done { return code }
        }
        return .done
    }

    private func items(
        of path: String, _ project: String, _ own: Item
    ) async throws -> [(DataTable.Row, Item)] {
        let table = try DataTable(path: path)
        guard ProjectForm(path: project) == .project else {
            throw CommandFailure(
                .usage, "\(project) has no variables, which only projects (.vcap.json5) have")
        }
        let ofProject = Set(try ProjectFile.places(in: project))
        let places = ofProject.union(outputPlaces)
        if let name = own.variables.values.keys.sorted().first(where: { !places.contains($0) }) {
            throw CommandFailure(
                .usage, "--set gives \(name), and neither \(project) nor -o has a place {\(name)}")
        }
        let idle = table.columns.filter { !places.contains($0) }
        guard idle.count < table.columns.count else {
            throw CommandFailure(
                .usage,
                "no text of \(project) has a place for a column of \(path) "
                    + "(\(table.columns.map { "{\($0)}" }.joined(separator: ", ")))")
        }
        if !idle.isEmpty {
            Console.shared.warning(
                "\(Amounts.count(idle.count, "column")) of \(path) without a place: "
                    + idle.joined(separator: ", "))
        }
        let wanted = try arguments(VariableOptions.rows)
        if let last = wanted?.ranges.map(\.lowerBound).max(), last > table.rows.count {
            throw CommandFailure(
                .usage, "--rows names row \(last), and \(path) has \(table.rows.count)")
        }
        return table.rows.filter { wanted?.contains($0.number) ?? true }.map { row in
            var item = own
            item.variables.values.merge(row.values) { $1 }
            let all = item.variables.values
            item = filled(item)
            item.variables.values = all.filter { ofProject.contains($0.key) }
            return (row, item)
        }
    }

    /// Options in which variables are filled.
    private static let outputs = [
        ExportOptions.output.spec, ExportOptions.contactSheet.spec, ExportOptions.planPicture.spec,
    ]

    private var outputPlaces: [String] {
        Self.outputs.flatMap { arguments.entries[$0.long]?.texts ?? [] }
            .flatMap { TextParts.places(in: $0) }
    }

    /// With variables filled in the names of outputs.
    private func filled(_ item: Item) -> Item {
        guard !item.variables.values.isEmpty else { return item }
        var item = item
        for option in Self.outputs {
            guard let texts = item.arguments.entries[option.long]?.texts else { continue }
            item.arguments.entries[option.long]?.texts = texts.map {
                TextParts.filled($0, with: item.variables.values)
            }
        }
        return item
    }

    /// - Throws: where two rows have one name, or a film is there already.
    private func requireNames(_ items: [(DataTable.Row, Item)]) throws(CommandFailure) {
        var known: [String: Int] = [:]
        var present: [String] = []
        for (row, item) in items {
            for option in Self.outputs {
                guard let name = item.arguments.entries[option.long]?.texts.last,
                    !name.contains("%v")
                else { continue }
                if let other = known.updateValue(row.number, forKey: name) {
                    throw CommandFailure(
                        .usage,
                        "the rows \(other) and \(row.number) both write \(name): put a variable that differs "
                            + "between them into \(option.name), such as film-{\(item.variables.values.keys.sorted().first ?? "name")}.mp4, "
                            + "or %v, a counter")
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

    /// Says which row it was that failed.
    private func inRow<Result>(
        _ row: DataTable.Row, of path: String, made: Int?, _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch {
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

    private static func fileName(_ value: String) -> String {
        var clean = String(value.map { $0 == "/" || $0.isNewline || $0 == "\0" ? "-" : $0 })
        if clean.hasPrefix(".") { clean = "_" + clean.dropFirst() }
        while clean.utf8.count > longest { clean.removeLast() }
        return clean.replacing("%", with: "%%")
    }
}
