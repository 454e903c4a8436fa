internal import Glibc
internal import Media
internal import Movie

/// Where the first of two passes leaves what it saw: a folder of its own below `TMPDIR`, else `/var/tmp`, which is on
/// a disk. It goes with the value. x264 needs about 16 kB a frame of 1080p.
final class PassFolder: Sendable {
    // immutable
    let path: String

    /// What the encoder is given; it may put others beside it.
    var file: String { path + "/first-pass" }

    init() throws(MediaError) {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let base = wanted.isEmpty ? "/var/tmp" : wanted
        let pattern = "\(base)/vcap-passes-" + String(repeating: "X", count: 6)
        var name = Array(pattern.utf8CString)
        let isMade = name.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard isMade else {
            throw MediaError(
                IOFailure(function: "mkdtemp", errno: errno),
                attempt: "keep what the first pass sees in \(path)", subject: path)
        }
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { unlink(path + "/" + name) }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
