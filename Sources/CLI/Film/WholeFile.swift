import Compose
internal import Glibc
import Media

/// A small file that is written whole or not at all, never over a file unless asked, and never over one that
/// another process is writing.
struct WholeFile {
    private let output: TemporaryOutput

    init(_ path: String, replacesExisting: Bool) throws(CommandFailure) {
        do throws(MediaError) {
            output = try TemporaryOutput(path: path, overwrites: replacesExisting)
        } catch { throw CommandFailure(error, while: .writing) }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(MediaError) { try output.write(bytes) } catch {
            guard error.errno != 0, ![.inUse, .alreadyExists].contains(error.code) else {
                throw CommandFailure(error, while: .writing)
            }
            throw CommandFailure(
                error.errno == ENOSPC || error.errno == EIO ? .ioError : .cannotCreate,
                "cannot write \(output.path): \(String(cString: strerror(error.errno)))")
        }
    }
}
