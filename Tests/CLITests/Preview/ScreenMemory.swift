import Foundation
import Glibc
import Media

/// The memory of an X server's screen (Xvfb's `-fbdir`), which can be watched without asking the server.
final class ScreenMemory: Sendable {
    /// A moment at which a place became bright or dark.
    struct Change: Sendable {
        /// Host clock (ns), to the watch's step.
        let host: Int64
        let isBright: Bool
    }

    /// Read only, though another process writes it.
    private struct Raster: @unchecked Sendable {
        let memory: UnsafeRawPointer
        let size: Int
        let pixels: Int
        let bytesPerLine: Int

        func green(_ x: Int, _ y: Int) -> UInt8 {
            memory.load(fromByteOffset: pixels + y * bytesPerLine + x * 4 + 1, as: UInt8.self)
        }
    }

    private let raster: Raster
    private let changes = Lock<[Change]>([])
    private let signal = WakeSignal()
    private let thread = Lock<NamedThread?>(nil)

    /// - Parameter folder: of a `Desktop`.
    init(in folder: String) throws {
        let descriptor = open(folder + "/Xvfb_screen0", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        let size = status.st_size
        guard let place = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), place != MAP_FAILED
        else { throw CocoaError(.fileReadUnknown) }
        let bytes = UnsafeRawPointer(place)
        // the header of XWD: its size, then among others bytes of a line and entries of its colour map
        func word(_ index: Int) -> Int {
            Int(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self).bigEndian)
        }
        raster = Raster(
            memory: bytes, size: size, pixels: word(0) + word(19) * 12, bytesPerLine: word(12))
    }

    deinit {
        end()
        munmap(UnsafeMutableRawPointer(mutating: raster.memory), raster.size)
    }

    /// The green of a pixel.
    func green(_ x: Int, _ y: Int) -> UInt8 { raster.green(x, y) }

    /// Notes from now on when a pixel becomes bright or dark.
    func watch(_ x: Int, _ y: Int) {
        let watch = NamedThread(name: "screen-watch") { [raster, changes, signal] in
            let clock = HostClock()
            var was = raster.green(x, y) > 128
            while true {
                let end = clock.wait(until: clock.now() + .nanoseconds(500_000), orSignal: signal)
                if end == .signalled { return }
                let isBright = raster.green(x, y) > 128
                guard isBright != was else { continue }
                was = isBright
                let host = clock.now().nanoseconds()
                changes.withLock { $0.append(Change(host: host, isBright: isBright)) }
            }
        }
        thread.withLock { $0 = watch }
    }

    /// Ends the watch.
    /// - Returns: what it noted, in its order.
    @discardableResult
    func end() -> [Change] {
        signal.raise()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
        return changes.withLock { $0 }
    }
}
