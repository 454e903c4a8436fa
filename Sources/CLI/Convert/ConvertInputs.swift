internal import Glibc

/// Finds the files that are meant by what was typed: files, folders and patterns.
enum ConvertInputs {
    /// Endings of files that are taken out of a folder; a file that is named itself may have any.
    static let endings: Set<String> = [
        "mp4", "m4v", "mov", "qt", "mkv", "webm", "ts", "m2ts", "mts", "avi", "gif", "apng", "png",
        "jpg", "jpeg", "webp", "tif", "tiff", "avif", "heic", "heif", "m4a", "mka", "wav", "mp3",
        "ogg", "opus", "flac", "aac", "ac3", "eac3", "dts", "amr",
    ]

    /// - Throws: no input where a file is not there, or a folder or pattern holds none.
    static func expanded(_ operands: [String]) throws(CommandFailure) -> [String] {
        var inputs: [String] = []
        for operand in operands {
            var info = stat()
            guard stat(operand, &info) == 0 else {
                let found = matches(operand)
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
                    .noInput, "the folder \(operand) holds no movie, animation, picture or sound")
            }
            inputs += found
        }
        return inputs
    }

    /// Files that a pattern such as `*.mov` matches, in natural order.
    private static func matches(_ pattern: String) -> [String] {
        guard pattern.contains(where: { "*?[".contains($0) }) else { return [] }
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap {
            result.gl_pathv[$0].map { String(cString: $0) }
        }
        .filter(isFile).sorted(by: NaturalOrder.precedes)
    }

    /// Media in a folder, not in folders below it, hidden ones left out, in natural order.
    private static func files(in folder: String) throws(CommandFailure) -> [String] {
        guard let listing = opendir(folder) else {
            throw CommandFailure(
                .noInput, "cannot read the folder \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            guard !name.hasPrefix("."), endings.contains(OutputPath.ending(of: path)), isFile(path)
            else { continue }
            found.append(path)
        }
        return found.sorted(by: NaturalOrder.precedes)
    }

    private static func isFile(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }
}
