import Compose
import Detect
import Media

/// The filters of a recording or a conversion, before anything is opened.
struct FilterPlan: Sendable {
    let filters: [WantedFilter]
    /// What lies behind the matte's foreground.
    let behind: WantedBehind?
    /// Whether faces are looked for in all rotations.
    let isThorough: Bool
    /// Whether frames are a camera's.
    let isLive: Bool

    /// Most filters of one recording or conversion: a recording has a thread for each.
    private static let most = 4

    /// `nil` where no filter is asked for.
    init?(_ arguments: Arguments, isLive: Bool) throws(CommandFailure) {
        filters = try arguments.all(FilterOptions.filter)
        behind = try arguments(FilterOptions.behind)
        self.isLive = isLive
        isThorough = !isLive && arguments.isOn(ConvertOptions.thorough)
        let mattes = filters.filter { if case .matte = $0 { true } else { false } }
        if mattes.isEmpty, behind != nil {
            throw CommandFailure(
                .usage,
                "--behind is what lies behind a matte's foreground: give --filter matte=motion, "
                    + "matte=depth:NEAR..FAR or matte=model:FILE.onnx as well, or leave it out")
        }
        if !mattes.isEmpty, behind == nil {
            throw CommandFailure(
                .usage,
                "a matte needs something behind it: give --behind blur, a colour, a picture or title:TEXT"
            )
        }
        guard mattes.count <= 1 else {
            throw CommandFailure(.usage, "--filter matte can be given once: --behind is one thing")
        }
        guard filters.count <= Self.most else {
            throw CommandFailure(.usage, "--filter can be given \(Self.most) times at most")
        }
        if filters.isEmpty { return nil }
    }

    /// How long a frame waits for each of the filters.
    var timeout: MediaTime { .nanoseconds(400_000_000 / Int64(max(filters.count, 1))) }

    /// Whether a depth camera says what is foreground.
    var needsDepth: Bool {
        filters.contains { if case .matte(.depth) = $0 { true } else { false } }
    }

    /// New ones for a camera or a movie. Blocks.
    /// - Throws: what is not installed, cannot be read or drawn.
    func processors() throws(CommandFailure) -> [any FrameProcessor] {
        try filters.map { filter throws(CommandFailure) in try processor(filter) }
    }

    /// What is not installed is no fault of a file.
    private func processor(_ filter: WantedFilter) throws(CommandFailure) -> any FrameProcessor {
        switch filter {
        case .mosaicFaces:
            do throws(MediaError) { return try MosaicFilter(faces) } catch {
                throw .noDetector(error)
            }
        case .sticker(let path): return try sticker(path)
        case .matte(let wanted):
            do throws(MediaError) { return try matte(wanted) } catch {
                let isMissing =
                    error.function == "dlopen"
                    || error.function == "access" && error.code == .unsupported
                throw isMissing ? .noDetector(error) : CommandFailure(error, while: .reading)
            }
        }
    }

    private func sticker(_ path: String) throws(CommandFailure) -> StickerFilter {
        let picture: PixelBuffer
        do throws(MediaError) { picture = try DrawnPicture.sticker(path) } catch {
            throw CommandFailure(error, while: .reading)
        }
        do throws(MediaError) { return try StickerFilter(picture, faces) } catch {
            throw .noDetector(error)
        }
    }

    private func matte(_ wanted: WantedMatte) throws(MediaError) -> MatteFilter {
        switch wanted {
        case .motion: try matte(MotionMatte())
        case .depth(let range): try matte(DepthMatte(range))
        case .model(let path, let settings):
            try matte(
                Console.shared.noticing("still trying the model \(path)") { () throws(MediaError) in
                    try ModelMatte(path: path, settings)
                })
        }
    }

    private var faces: FaceFilterSettings {
        FaceFilterSettings(
            interval: isLive ? FaceFilterSettings().interval : .zero, isThorough: isThorough)
    }

    private func matte(_ generator: any MatteGenerator) throws(MediaError) -> MatteFilter {
        MatteFilter(generator, behind: try background(), isLive: isLive)
    }

    /// What cannot be read or drawn is said before anything is opened.
    private func background() throws(MediaError) -> MatteBackground {
        switch behind {
        case nil, .blur: return .blur
        case .color(let color):
            func code(_ part: Double) -> UInt8 { UInt8(min(max((part * 255).rounded(), 0), 255)) }
            return .color(
                red: code(color.red), green: code(color.green), blue: code(color.blue))
        case .image(let path):
            _ = try DrawnPicture.background(path, PixelSize(16, 16))
            return .picture(isOpaque: true) { try DrawnPicture.background(path, $0) }
        case .title(let text):
            _ = try DrawnPicture.title(text, PixelSize(320, 180))
            return .picture(isOpaque: false) { try DrawnPicture.title(text, $0) }
        }
    }
}
