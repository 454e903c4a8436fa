internal import Glibc
import Media
import Reading

/// Which file a take is, so that its film is of no other one that gets its name.
struct TakeFile: Sendable, Equatable {
    private let number: UInt64
    private let size: Int64
    private let time: Int64

    /// As it is now; nil: there is none.
    init?(at path: String) {
        guard let state = FileState(path) else { return nil }
        (number, size, time) = (state.number, state.size, state.time)
    }

    /// As a line.
    var text: String { "\(number) \(size) \(time)" }

    /// - Parameter text: that of another process's.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let number = UInt64(parts[0]), let size = Int64(parts[1]),
            let time = Int64(parts[2])
        else { return nil }
        (self.number, self.size, self.time) = (number, size, time)
    }

    /// What a recorder says of its take.
    /// - Returns: nil where it ends without a line.
    static func line(from descriptor: Int32) -> String? {
        var line: [UInt8] = []
        while line.count < 100 {
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == 10 { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// - Throws: `damaged-file` where the name is another file's by now.
    func require(at path: String) throws(MediaError) {
        guard TakeFile(at: path) != self else { return }
        throw MediaError(
            code: .damagedFile, subject: path,
            message: FileState(path) == nil
                ? "\(path) is not there any more: no film is made of it."
                : "\(path) is another file than the take that was recorded, or was changed: no film is "
                    + "made of it; vcap compose makes one of what is there.")
    }
}
