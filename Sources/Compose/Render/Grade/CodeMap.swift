internal import Glibc
internal import Media
internal import Synchronization

/// Codes of a graded frame. Chroma between samples comes in sixteenths of a code, and so does luma between pixels.
protocol CodeMap: Sendable {
    /// - Parameters:
    ///   - y: a pixel's luma.
    ///   - u: where it lies, in sixteenths, with `v`.
    func luma(_ y: Int, _ u: Int, _ v: Int) -> Int
    /// - Parameters:
    ///   - y: where the samples lie, in sixteenths.
    ///   - u: a chroma sample, with `v`.
    func chroma(_ y: Int, _ u: Int, _ v: Int) -> (blue: Int, red: Int)
}

/// Each triple of codes of 8 bits, computed exactly when it is first seen: at most 48 MiB, of which a film's frames need
/// a few. Reentrant.
final class ExactCodes: CodeMap {
    // because they are written by atomic stores only
    nonisolated(unsafe) private let lumas: UnsafeMutablePointer<Atomic<UInt8>>
    nonisolated(unsafe) private let chromas: UnsafeMutablePointer<Atomic<UInt16>>
    private let memory: UInt
    private let function: CodeFunction

    private static let count = 1 << 24

    init(_ function: CodeFunction) throws(MediaError) {
        // pages that are not touched take no memory, and are zero: not computed yet
        let memory = mmap(
            nil, 3 * Self.count, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            throw MediaError(
                code: .outOfMemory, function: "mmap", subject: "a grade", errno: errno,
                message: "There is no memory for a grade's table of 48 MiB.")
        }
        self.memory = UInt(bitPattern: memory)
        lumas = memory.bindMemory(to: Atomic<UInt8>.self, capacity: Self.count)
        chromas = (memory + Self.count).bindMemory(to: Atomic<UInt16>.self, capacity: Self.count)
        self.function = function
    }

    deinit { munmap(UnsafeMutableRawPointer(bitPattern: memory), 3 * Self.count) }

    @inline(__always)
    func luma(_ y: Int, _ u: Int, _ v: Int) -> Int {
        let index = (((u &+ 8) >> 4) &<< 16) | (((v &+ 8) >> 4) &<< 8) | y
        let found = lumas[index].load(ordering: .relaxed)
        return found != 0 ? Int(found) : compute(index).luma
    }

    @inline(__always)
    func chroma(_ y: Int, _ u: Int, _ v: Int) -> (blue: Int, red: Int) {
        let index = (u &<< 16) | (v &<< 8) | ((y &+ 8) >> 4)
        let found = chromas[index].load(ordering: .relaxed)
        guard found != 0 else { return compute(index).chroma }
        return (Int(found & 0xFF), Int(found >> 8))
    }

    /// Codes of zero are computed each time: no light in full range, and no usual chroma.
    @inline(never)
    private func compute(_ index: Int) -> (luma: Int, chroma: (blue: Int, red: Int)) {
        let made = function(
            SIMD3(Double(index & 0xFF), Double(index >> 16), Double(index >> 8 & 0xFF))
        ).rounded(.toNearestOrAwayFromZero)
        let (luma, blue, red) = (UInt8(made.x), UInt8(made.y), UInt8(made.z))
        lumas[index].store(luma, ordering: .relaxed)
        chromas[index].store(UInt16(blue) | UInt16(red) << 8, ordering: .relaxed)
        return (Int(luma), (Int(blue), Int(red)))
    }
}

/// Codes at the points of a cube; between them, of the tetrahedron they lie in. For 10 bits, of which there are too many
/// triples, and for grades that change with each frame. Reentrant.
final class SteppedCodes: CodeMap {
    // because it is written before anyone else has it
    nonisolated(unsafe) private let nodes: UnsafeMutablePointer<SIMD4<Float>>
    private let size: Int
    private let scale: Float

    /// - Parameters:
    ///   - size: points along an edge (16 bytes each).
    ///   - slices: share the work.
    init(_ function: CodeFunction, depth: Int, size: Int, slices: SlicePool) {
        let most = Double(1 << depth - 1)
        let nodes = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: size * size * size)
        let step = most / Double(size - 1)
        slices.run(size) { u, _ in
            for v in 0..<size {
                for y in 0..<size {
                    let made = function(
                        SIMD3(Double(y) * step, Double(u) * step, Double(v) * step))
                    (nodes + ((u * size + v) * size + y)).initialize(
                        to: SIMD4(Float(made.x), Float(made.y), Float(made.z), 0))
                }
            }
        }
        self.nodes = nodes
        self.size = size
        scale = Float(Double(size - 1) / most)
    }

    deinit { nodes.deallocate() }

    @inline(__always)
    func luma(_ y: Int, _ u: Int, _ v: Int) -> Int {
        let made = codes(Float(y) * scale, Float(u) * scale / 16, Float(v) * scale / 16)
        return Int(made.x + 0.5)
    }

    @inline(__always)
    func chroma(_ y: Int, _ u: Int, _ v: Int) -> (blue: Int, red: Int) {
        let made = codes(Float(y) * scale / 16, Float(u) * scale, Float(v) * scale)
        return (Int(made.y + 0.5), Int(made.z + 0.5))
    }

    @inline(__always)
    private func codes(_ y: Float, _ u: Float, _ v: Float) -> SIMD4<Float> {
        let last = size &- 2
        let (iy, iu, iv) = (min(Int(y), last), min(Int(u), last), min(Int(v), last))
        let (fy, fu, fv) = (y - Float(iy), u - Float(iu), v - Float(iv))
        let base = nodes + ((iu &* size &+ iv) &* size &+ iy)
        let (dy, dv, du) = (1, size, size &* size)
        // from the corner along the edges, the longest way first, to the opposite one
        let (a, b, c): (Float, Float, Float)
        let (first, second): (Int, Int)
        if fy >= fu {
            if fu >= fv {
                (a, b, c, first, second) = (fy, fu, fv, dy, dy &+ du)
            } else if fy >= fv {
                (a, b, c, first, second) = (fy, fv, fu, dy, dy &+ dv)
            } else {
                (a, b, c, first, second) = (fv, fy, fu, dv, dv &+ dy)
            }
        } else if fy >= fv {
            (a, b, c, first, second) = (fu, fy, fv, du, du &+ dy)
        } else if fu >= fv {
            (a, b, c, first, second) = (fu, fv, fy, du, du &+ dv)
        } else {
            (a, b, c, first, second) = (fv, fu, fy, dv, dv &+ du)
        }
        return base[0] * (1 - a) + base[first] * (a - b) + base[second] * (b - c)
            + base[dy &+ du &+ dv] * c
    }
}
