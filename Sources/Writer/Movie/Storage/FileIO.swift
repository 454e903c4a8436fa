/// The one funnel through which movie files touch the disk. The real one is `SystemFileIO`; tests
/// script another. Thread-safe.
package protocol FileIO: AnyObject, Sendable {
    /// Writes some of the bytes (at least one) and answers how many.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int

    /// Writes some of the bytes of several pieces, which lie one behind the other in the file (at least one
    /// byte), and answers how many: all in one call of the system where it takes them.
    func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int64) throws(IOFailure) -> Int

    /// Reads up to as many bytes as there is room for; 0 at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int

    /// Makes everything written so far survive a power cut (`fdatasync`).
    func synchronize() throws(IOFailure)

    /// Makes the file's name survive a power cut (`fsync` of its folder).
    func synchronizeName() throws(IOFailure)

    /// Lets the system begin to write a range to the disk, which it would do half a minute later; promises nothing.
    func beginWriting(from start: Int64, to end: Int64)

    /// Keeps disk blocks for a range, beyond the end of the file too, without changing its size.
    func allocate(from start: Int64, to end: Int64) throws(IOFailure)

    /// Cuts the file, and gives back blocks kept beyond the new end.
    func truncate(to size: Int64) throws(IOFailure)

    func size() throws(IOFailure) -> Int64

    /// Closes the file; nothing may be called afterwards.
    func close()

    /// The writer's lock, for longer than it is open; `nil` where there is none.
    func keepLock() -> FileLock?
}

extension FileIO {
    package func keepLock() -> FileLock? { nil }

    package func beginWriting(from start: Int64, to end: Int64) {}

    /// One copy of several, for those who cannot gather.
    package func write(
        _ pieces: [UnsafeRawBufferPointer], at offset: Int64
    ) throws(IOFailure) -> Int {
        if pieces.count == 1 { return try write(pieces[0], at: offset) }
        var joined: [UInt8] = []
        joined.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { joined += piece }
        let outcome = joined.withUnsafeBytes { whole -> Result<Int, IOFailure> in
            do throws(IOFailure) { return .success(try write(whole, at: offset)) } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

/// A system call's refusal.
package struct IOFailure: Error, Sendable, Hashable {
    /// The C function.
    package let function: String
    /// The system's error number (positive).
    package let errno: Int32

    package init(function: String, errno: Int32) {
        self.function = function
        self.errno = errno
    }
}

extension FileIO {
    /// Writes all the bytes, however often the system takes fewer.
    package func writeAll(_ bytes: [UInt8], at offset: Int64) throws(IOFailure) {
        var done = 0
        while done < bytes.count {
            let result = bytes.withUnsafeBytes { whole -> Result<Int, IOFailure> in
                let rest = UnsafeRawBufferPointer(rebasing: whole[done...])
                do throws(IOFailure) {
                    return .success(try write(rest, at: offset + Int64(done)))
                } catch { return .failure(error) }
            }
            done += try result.get()
        }
    }

    /// Writes all the pieces one behind the other, however often the system takes fewer.
    package func writeAll(_ bytes: GatheredBytes, at offset: Int64) throws(IOFailure) {
        try bytes.withUnsafePieces { pieces throws(IOFailure) in
            var rest = pieces[...]
            var place = offset
            while !rest.isEmpty {
                var written = try write(Array(rest), at: place)
                place += Int64(written)
                while let first = rest.first, first.count <= written {
                    written -= first.count
                    rest.removeFirst()
                }
                if written > 0, let first = rest.first {
                    rest[rest.startIndex] = UnsafeRawBufferPointer(rebasing: first[written...])
                }
            }
        }
    }

    /// Reads as many of `count` bytes as the file has.
    package func readAll(_ count: Int, at offset: Int64) throws(IOFailure) -> [UInt8] {
        var failure: IOFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                do throws(IOFailure) {
                    let got = try read(into: rest, at: offset + Int64(filled))
                    if got == 0 { return }
                    filled += got
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
