internal import Media

/// Grades conformed frames, and keeps the results while the same frames stay on show. Thread-bound.
///
/// Of a still grade's frames of 8 bits every code is exact; 10 bits, and a grade on its way, are interpolated between 65
/// or 49 points along each axis.
final class GradeStore {
    private struct Entry {
        let grade: ColorGrade
        let isChanging: Bool
        let source: PixelBuffer
        let result: PlacedImage
        var isUsed = true
    }

    private struct Machine {
        let grade: ColorGrade
        let isChanging: Bool
        let codes: Codes
        var isUsed = true
    }

    private enum Codes {
        case exact(ExactCodes)
        case stepped(SteppedCodes)
    }

    // immutable
    private let grid: FrameGrid
    private let slices: SlicePool
    private let memory: FrameMemory
    // owned by the caller's thread
    private var entries: [Entry] = []
    private var machines: [Machine] = []

    /// Tables kept beside those that the frame uses, of at most 48 MiB each: two clips that meet and an overlay.
    private static let machineLimit = 3
    /// Rows of chroma of a part of the work.
    private static let bandRows = 16

    init(grid: FrameGrid, slices: SlicePool, memory: FrameMemory) {
        (self.grid, self.slices, self.memory) = (grid, slices, memory)
    }

    func begin() {
        for index in entries.indices { entries[index].isUsed = false }
        for index in machines.indices { machines[index].isUsed = false }
    }

    func end() {
        entries.removeAll { !$0.isUsed }
        // the next frame's grade is another one
        machines.removeAll { $0.isChanging }
    }

    /// - Parameters:
    ///   - image: of the film's format, of any size.
    ///   - isChanging: whether the next frame has another grade.
    /// - Throws: what reading a table throws.
    func graded(
        _ image: PlacedImage, _ grade: ColorGrade, isChanging: Bool
    ) throws(MediaError) -> PlacedImage {
        let found = entries.firstIndex {
            $0.isChanging == isChanging && $0.grade == grade
                && $0.source.sharesPixels(with: image.picture)
        }
        if let found {
            entries[found].isUsed = true
            return entries[found].result
        }
        let frame =
            switch try codes(of: grade, isChanging: isChanging) {
            case .exact(let map): graded(image.picture, by: map)
            case .stepped(let map): graded(image.picture, by: map)
            }
        let result = PlacedImage(frame, alpha: image.alpha)
        entries.append(
            Entry(grade: grade, isChanging: isChanging, source: image.picture, result: result))
        return result
    }

    private func codes(of grade: ColorGrade, isChanging: Bool) throws(MediaError) -> Codes {
        let found = machines.firstIndex { $0.isChanging == isChanging && $0.grade == grade }
        if let found {
            var machine = machines.remove(at: found)
            machine.isUsed = true
            machines.append(machine)
            return machine.codes
        }
        let codes = try makeCodes(of: grade, isChanging: isChanging)
        if machines.count >= Self.machineLimit,
            let oldest = machines.firstIndex(where: { !$0.isUsed })
        {
            machines.remove(at: oldest)
        }
        machines.append(Machine(grade: grade, isChanging: isChanging, codes: codes))
        return codes
    }

    private func makeCodes(
        of grade: ColorGrade, isChanging: Bool
    ) throws(MediaError) -> Codes {
        let depth = grid.pixels.bitDepth
        let function = try CodeFunction(grade, color: grid.format.color, depth: depth)
        if depth == 8, !isChanging { return .exact(try ExactCodes(function)) }
        return .stepped(
            SteppedCodes(function, depth: depth, size: isChanging ? 49 : 65, slices: slices))
    }

    private func graded(_ frame: PixelBuffer, by map: some CodeMap) -> PixelBuffer {
        grid.bytes == 1
            ? graded(frame, by: map, UInt8.self) : graded(frame, by: map, UInt16.self)
    }

    private func graded<Sample: FixedWidthInteger & UnsignedInteger>(
        _ frame: PixelBuffer, by map: some CodeMap, _: Sample.Type
    ) -> PixelBuffer {
        var result = memory.picture(frame.width, frame.height, grid.pixels)
        let chroma = grid.planes[1]
        let rows = (frame.height + chroma.down - 1) / chroma.down
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                let work = GradeRows<_, Sample>(
                    map: map, luma: grid.planes[0], chroma: chroma, width: frame.width,
                    height: frame.height, sources: sources, targets: targets)
                slices.run((rows + Self.bandRows - 1) / Self.bandRows) { band, _ in
                    let first = band * Self.bandRows
                    work.grade(first..<min(first + Self.bandRows, rows))
                }
            }
        }
        return result
    }
}
