internal import CPangoCairo
internal import Glibc
public import Media

/// Fonts of files, beside those that are installed, for the titles and subtitles of this process. Thread-safe.
///
/// As `CTFontManagerRegisterFontsForURL` does: what is registered stays until the process ends. Register fonts before
/// the films that use them are made.
public enum FontRegistry {
    /// 64 MB: those of all of China's characters have less.
    static let contents = FileContents("font", most: 64_000_000, refusal: .unsupported)
    /// Most files (count).
    private static let most = 256

    private static let registered = Lock<[String]>([])

    /// What was registered, in order, each once.
    static var paths: [String] { registered.withLock { $0 } }

    /// Endings of files in a folder that are taken.
    private static let endings = ["ttf", "otf", "ttc", "otc"]

    /// Registers a font, or those that lie in a folder (not in folders within it). Blocks shortly.
    /// - Parameter path: of a .ttf, .otf or .ttc file, or of a folder.
    /// - Returns: the families that it has, each once, in order of their names.
    /// - Throws: `no-such-file`, `not-permitted`; `unsupported` for what is no font; `over-limit` for more than 256 files.
    @discardableResult
    public static func register(_ path: String) throws(MediaError) -> [String] {
        var families: Set<String> = []
        for file in try files(of: path) {
            families.formUnion(try register(file: file))
        }
        return families.sorted()
    }

    private static func register(file path: String) throws(MediaError) -> [String] {
        _ = try contents.read(path)
        let families = families(in: path)
        guard !families.isEmpty else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot use the font \(path): it is no font that FreeType reads.")
        }
        let state: Bool? = registered.withLock { paths in
            if paths.contains(path) { return true }
            guard paths.count < most else { return nil }
            let isAdded = path.withCString { text in
                text.withMemoryRebound(to: FcChar8.self, capacity: path.utf8.count + 1) {
                    FcConfigAppFontAddFile(TitleFonts.config, $0)
                }
            }
            if isAdded != 0 { paths.append(path) }
            return isAdded != 0
        }
        guard let isAdded = state else {
            throw MediaError(
                code: .overLimit, subject: path,
                message: "Cannot use the font \(path): more than \(most) fonts are registered.")
        }
        guard isAdded else {
            throw MediaError(
                code: .unsupported, function: "FcConfigAppFontAddFile", subject: path,
                message: "Cannot use the font \(path): fontconfig does not take it.")
        }
        return families
    }

    /// What a font file calls its families.
    private static func families(in path: String) -> [String] {
        var names: Set<String> = []
        var count: Int32 = 1
        var index: Int32 = 0
        while index < min(count, 64) {
            let pattern = path.withCString { text in
                text.withMemoryRebound(to: FcChar8.self, capacity: path.utf8.count + 1) {
                    FcFreeTypeQuery($0, UInt32(index), nil, &count)
                }
            }
            index += 1
            guard let pattern else { continue }
            defer { FcPatternDestroy(pattern) }
            var family: UnsafeMutablePointer<FcChar8>?
            if FcPatternGetString(pattern, FC_FAMILY, 0, &family) == FcResultMatch, let family {
                names.insert(String(cString: family))
            }
        }
        return names.sorted()
    }
}

extension FontRegistry {
    /// A file itself, or the fonts in a folder; links in it are not followed.
    private static func files(of path: String) throws(MediaError) -> [String] {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { return [path] }
        guard let listing = opendir(path) else {
            let number = errno
            throw MediaError(
                code: number == EACCES ? .notPermitted : .noSuchFile, function: "opendir",
                subject: path, errno: number,
                message:
                    "Cannot read the folder of fonts \(path): \(String(cString: strerror(number)))."
            )
        }
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // "._brand.ttf" is what another system knows of a font
            guard !name.hasPrefix("."), let dot = name.lastIndex(of: "."),
                endings.contains(name[name.index(after: dot)...].lowercased())
            else { continue }
            let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            guard lstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
            found.append(file)
        }
        guard !found.isEmpty else {
            throw MediaError(
                code: .unsupported, subject: path,
                message:
                    "Cannot use the folder of fonts \(path): there is no .ttf, .otf or .ttc file in it."
            )
        }
        return found.sorted()
    }
}
