internal import Glibc
internal import Media

/// A shared library of ours with foreign code behind a C interface. It is looked for at run time, when it is first
/// needed: a program that detects nothing needs neither it nor what it is linked to. It is never given back.
struct ShimLibrary {
    private let handle: UnsafeMutableRawPointer
    /// Where it is.
    let path: String
    private let absence: Absence

    /// What is said where it cannot be had.
    struct Absence: Sendable {
        /// The library's name.
        let file: String
        /// What it finds ("codes").
        let purpose: String
        /// What it is linked to ("zxing-cpp").
        let upstream: String
        /// What brings that ("libzxing2").
        let package: String
        /// What it does with it.
        var task = "detect"

        func error(_ why: String?) -> MediaError {
            MediaError(
                code: .unsupported, function: "dlopen", subject: file,
                message:
                    "Cannot \(task) \(purpose) without \(file) and \(upstream): install Debian's \(package) "
                    + "and keep \(file) beside vcap, as make install does"
                    + (why.map { " (\($0))." } ?? "."))
        }
    }

    /// - Parameters:
    ///   - paths: the first that can be loaded is taken; `nil`: where it usually is.
    ///   - interface: the function that says what the library was built as.
    ///   - version: what it has to say.
    init(
        _ absence: Absence, paths: [String]? = nil, interface: String, version: Int32
    ) throws(MediaError) {
        self.absence = absence
        var library: UnsafeMutableRawPointer?
        var (why, place): (String?, String) = (nil, "")
        for path in paths ?? Self.places(of: absence.file) where library == nil {
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL)
            place = path
            if library == nil {
                let answer = dlerror().map { String(cString: $0) }
                // of a file that is there the reason counts, and not that it is elsewhere not
                if path.contains("/"), access(path, R_OK) == 0 { why = why ?? answer }
            }
        }
        guard let library else { throw absence.error(why) }
        handle = library
        path = place
        let said = unsafeBitCast(
            try call(interface), to: (@convention(c) () -> Int32).self)()
        guard said == version else {
            throw absence.error("it is of another version (\(said))")
        }
    }

    /// - Returns: the function of a name.
    func call(_ name: String) throws(MediaError) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, name) else { throw absence.error("\(name) is missing") }
        return address
    }

    /// Where a library is looked for: beside the program, where `make install` puts it, and where the system looks.
    static func places(of file: String, besides executable: String = executable) -> [String] {
        let folder = executable.split(separator: "/").dropLast().map(String.init)
        let beside = "/" + (folder + [file]).joined(separator: "/")
        let installed = "/" + (folder.dropLast() + ["lib", "vcap", file]).joined(separator: "/")
        return [beside, installed, file]
    }

    private static var executable: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        return String(
            decoding: path.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What a function of the library wrote into its message.
    static func text(_ message: [CChar]) -> String {
        String(
            decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
