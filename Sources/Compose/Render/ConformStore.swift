internal import LibAV
internal import Media

/// Conforms frames and keeps the results while the same source frames stay on show. Thread-bound.
final class ConformStore {
    /// What a conformed frame depends on, besides the source frame.
    struct Request: Hashable {
        var format: VideoFormat
        /// Of the result, after turning (pixels).
        var width: Int
        var height: Int
        /// What of the stored frame fills the result (rounded, so that noise makes no difference).
        var region: FrameConformer.Region
        var orientation: VideoOrientation
        /// Standard deviation of a blur (pixels of the frame); 0: none.
        var blur: Double = 0

        init(
            format: VideoFormat, width: Int, height: Int, region: FrameConformer.Region,
            orientation: VideoOrientation = .upright, blur: Double = 0
        ) {
            func rounded(_ value: Double) -> Double { (value * 65_536).rounded() / 65_536 }
            self.format = format
            self.width = width
            self.height = height
            self.region = FrameConformer.Region(
                left: rounded(region.left), top: rounded(region.top),
                width: rounded(region.width), height: rounded(region.height))
            self.orientation = orientation
            self.blur = blur
        }
    }

    private struct Entry {
        var request: Request
        var source: PixelBuffer
        var result: PlacedImage
        var isUsed: Bool
    }

    /// Thread-bound.
    private final class Machine {
        let request: Request
        let conformer: FrameConformer
        /// Brings 4:4:4 to the target's grid after rotation, where the grid cannot be rotated.
        var second: FrameConformer?
        var turn: VideoOrientation?
        /// Whether the frame shows something of it.
        var isUsed = true

        init(_ request: Request, _ conformer: FrameConformer) {
            (self.request, self.conformer) = (request, conformer)
        }
    }

    // immutable
    private let grid: FrameGrid
    private let slices: SlicePool
    private let memory = FrameMemory()
    private let grades: GradeStore
    private let keys: KeyStore
    // owned by the caller's thread
    private var entries: [Entry] = []
    private var machines: [Machine] = []
    /// Conversions done so far, for tests of the cache.
    private(set) var conversions = 0

    /// Conformers kept: two layers with fill, each in two phases, and some room.
    private static let machineLimit = 12

    init(grid: FrameGrid, slices: SlicePool) {
        self.grid = grid
        self.slices = slices
        grades = GradeStore(grid: grid, slices: slices, memory: memory)
        keys = KeyStore(grid: grid, slices: slices, memory: memory)
    }

    /// Begins a frame: what it does not ask for is dropped at its end.
    func begin() {
        for index in entries.indices { entries[index].isUsed = false }
        for machine in machines { machine.isUsed = false }
        grades.begin()
        keys.begin()
    }

    func end() {
        grades.end()
        keys.end()
        entries.removeAll { !$0.isUsed }
        for machine in machines where !machine.isUsed { machine.conformer.forget() }
    }

    /// A layer's frame, which has the target's format already, with the layer's colours.
    func own(_ layer: SceneLayer) throws(MediaError) -> PlacedImage {
        try graded(PlacedImage(layer.picture), as: layer)
    }

    /// A layer's frame, conformed, with the layer's colours.
    func picture(of layer: SceneLayer, _ request: Request) throws(MediaError) -> PlacedImage {
        try graded(picture(layer.picture, request), as: layer)
    }

    private func graded(
        _ image: PlacedImage, as layer: SceneLayer
    ) throws(MediaError) -> PlacedImage {
        // a screen is keyed as it was taken
        let image = layer.key.map { keys.keyed(image, $0) } ?? image
        guard let grade = layer.grade, !grade.isEmpty else { return image }
        return try grades.graded(image, grade, isChanging: layer.isGradeChanging)
    }

    func picture(
        _ source: PixelBuffer, _ request: Request
    ) throws(MediaError) -> PlacedImage {
        let found = entries.firstIndex {
            $0.request == request && $0.source.sharesPixels(with: source)
        }
        if let found {
            entries[found].isUsed = true
            for machine in machines where machine.request == request { machine.isUsed = true }
            return entries[found].result
        }
        let result: PlacedImage
        if request.blur > 0 {
            result = try BlurredFill(grid: grid, slices: slices).make(source, request) {
                source, request throws(MediaError) in
                try self.convert(source, request)
            }
        } else {
            result = try convert(source, request)
        }
        entries.append(Entry(request: request, source: source, result: result, isUsed: true))
        return result
    }

    private func convert(
        _ source: PixelBuffer, _ request: Request
    ) throws(MediaError) -> PlacedImage {
        conversions += 1
        let machine = try machine(for: request)
        var result = try run(machine.conformer, source)
        if let turn = machine.turn {
            result.picture = try result.picture.rotated(by: turn)
            result.alpha = try result.alpha.map { alpha throws(MediaError) in
                try alpha.rotated(by: turn)
            }
        }
        if let second = machine.second {
            result.picture = try run(second, result.picture).picture
        }
        guard let alpha = result.alpha else { return PlacedImage(result.picture) }
        return Transparency(grid).separate(result.picture, opacity: alpha)
    }

    private func run(
        _ conformer: FrameConformer, _ source: PixelBuffer
    ) throws(MediaError) -> (picture: PixelBuffer, alpha: PixelBuffer?) {
        let output = conformer.output
        return try conformer.convert(source) {
            memory.picture(output.width, output.height, output.pixelFormat ?? grid.pixels)
        } eachStrip: { count, body throws(MediaError) in
            let failure = Lock<MediaError?>(nil)
            slices.run(count) { strip, _ in
                do throws(MediaError) { try body(strip) } catch {
                    failure.withLock { $0 = $0 ?? error }
                }
            }
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    private func machine(for request: Request) throws(MediaError) -> Machine {
        if let found = machines.firstIndex(where: { $0.request == request }) {
            let machine = machines.remove(at: found)
            machine.isUsed = true
            machines.append(machine)
            return machine
        }
        let machine = try makeMachine(request)
        if machines.count >= Self.machineLimit { machines.removeFirst() }
        machines.append(machine)
        return machine
    }

    private func makeMachine(_ request: Request) throws(MediaError) -> Machine {
        let orientation = request.orientation
        var output = grid.format
        output.width = orientation.swapsAxes ? request.height : request.width
        output.height = orientation.swapsAxes ? request.width : request.height
        let siting = sitingBeforeRotation(orientation)
        if siting == nil { output.coding = .raw(grid.bytes == 1 ? .yuv444p : .yuv444p10le) }
        let conformer = try FrameConformer(
            from: request.format, to: output, region: request.region,
            siting: siting ?? grid.siting, isSteady: true)
        let machine = Machine(request, conformer)
        guard orientation != .upright else { return machine }
        machine.turn = orientation
        if siting == nil {
            var rotated = output
            (rotated.width, rotated.height) = (request.width, request.height)
            rotated.color = grid.format.color
            var target = rotated
            target.coding = grid.format.coding
            machine.second = try FrameConformer(from: rotated, to: target, siting: grid.siting)
        }
        return machine
    }

    /// Where chroma must lie so that it lies right after rotation; nil where no siting does it.
    private func sitingBeforeRotation(_ orientation: VideoOrientation) -> ChromaSiting? {
        if orientation == .upright || grid.stepX == 1 { return grid.siting }
        return grid.stepY == 2 ? grid.siting.before(orientation) : nil
    }
}
