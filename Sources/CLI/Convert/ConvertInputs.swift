internal import Glibc

/// Finds the files that are meant by what was typed: files, folders and patterns.
enum ConvertInputs {
    /// Endings of files that are taken out of a folder; a file that is named itself may have any.
    static let endings: Set<String> = [
        "mp4", "m4v", "mov", "qt", "mkv", "webm", "ts", "m2ts", "mts", "avi", "gif", "apng", "png",
        "jpg", "jpeg", "webp", "tif", "tiff", "avif", "heic", "heif", "m4a", "mka", "wav", "mp3",
        "ogg", "opus", "flac", "aac", "ac3", "eac3", "dts", "amr",
    ]

    /// Endings of media that are passed over in a folder, with a word: most are of codecs that vcap does not read.
    private static let passedOver: Set<String> = [
        "3g2", "3gp", "aif", "aiff", "asf", "bmp", "f4v", "flv", "m2v", "m4b", "mpeg", "mpg", "mxf",
        "oga", "ogv", "tga", "vob", "wma", "wmv",
    ]

    /// - Parameter isEachByItself: whether a file that is not there fails by itself.
    /// - Throws: no input where a file is not there, or a folder or pattern holds none.
    static func expanded(
        _ operands: [String], isEachByItself: Bool = false
    ) throws(CommandFailure) -> [String] {
        var inputs: [String] = []
        for operand in operands {
            var info = stat()
            guard stat(operand, &info) == 0 else {
                let found = try matches(operand)
                if found.isEmpty, isEachByItself, operands.count > 1, !isPattern(operand) {
                    inputs.append(operand)
                    continue
                }
                guard !found.isEmpty else {
                    throw CommandFailure(
                        .noInput, "there is no file \(operand), and it matches none")
                }
                inputs += found
                continue
            }
            guard info.st_mode & S_IFMT == S_IFDIR else {
                inputs.append(operand)
                continue
            }
            let found = try files(in: operand)
            guard !found.isEmpty else {
                throw CommandFailure(
                    .noInput, "the folder \(operand) holds no movie, animation, picture or audio")
            }
            inputs += found
        }
        return inputs
    }

    private static func isPattern(_ operand: String) -> Bool {
        operand.contains { "*?[".contains($0) }
    }

    /// Files that a pattern such as `*.mov` matches, in natural order.
    private static func matches(_ pattern: String) throws(CommandFailure) -> [String] {
        guard isPattern(pattern) else { return [] }
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
        var found: [String] = []
        for index in 0..<Int(result.gl_pathc) {
            guard let match = result.gl_pathv[index] else { continue }
            let bytes = UnsafeBufferPointer(start: match, count: strlen(match))
            found.append(try name(bytes.map { UInt8(bitPattern: $0) }))
        }
        return found.filter(isFile).sorted(by: NaturalOrder.precedes)
    }

    /// Media in a folder, not in folders below it, hidden ones left out, in natural order.
    private static func files(in folder: String) throws(CommandFailure) -> [String] {
        guard let listing = opendir(folder) else {
            throw CommandFailure(
                .noInput, "cannot read the folder \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(listing) }
        var found: [String] = []
        var others: [String] = []
        while let entry = readdir(listing) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let shown = String(decoding: bytes, as: UTF8.self)
            let ending = OutputPath.ending(of: shown)
            if !shown.hasPrefix("."), passedOver.contains(ending) { others.append(ending) }
            guard !shown.hasPrefix("."), endings.contains(ending) else { continue }
            let begin = folder.hasSuffix("/") ? folder : "\(folder)/"
            let path = try name(Array(begin.utf8) + bytes)
            if isFile(path) { found.append(path) }
        }
        if !others.isEmpty {
            let endings = Set(others).sorted().map { ".\($0)" }.joined(separator: ", ")
            Console.shared.warning(
                "\(folder): \(Amounts.count(others.count, "file")) of other kinds (\(endings)) left out; one that is "
                    + "named itself is tried")
        }
        return found.sorted(by: NaturalOrder.precedes)
    }

    /// - Throws: `usage` for one that is no UTF-8: a film without that clip would be another film.
    private static func name(_ bytes: [UInt8]) throws(CommandFailure) -> String {
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .usage,
                "the name \(TypedWords.shown(bytes)) is not UTF-8, which vcap takes names in: rename "
                    + "the file")
        }
        return name
    }

    private static func isFile(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }
}
