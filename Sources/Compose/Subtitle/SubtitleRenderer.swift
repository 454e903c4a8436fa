internal import CASS
internal import Glibc
internal import Media

/// Draws the lines of scripts with libass. Thread-bound.
final class SubtitleRenderer {
    /// One script as libass holds it.
    final class Track {
        fileprivate let pointer: UnsafeMutablePointer<ASS_Track>
        /// A track needs its library.
        private let owner: SubtitleRenderer

        fileprivate init(
            _ pointer: UnsafeMutablePointer<ASS_Track>, of owner: SubtitleRenderer
        ) {
            self.pointer = pointer
            self.owner = owner
        }

        deinit { ass_free_track(pointer) }
    }

    /// Most that libass keeps of drawn letters (MB).
    private static let cacheSize: Int32 = 32
    /// Of what is drawn at once; more of them are one tile.
    private static let mostParts = 256

    // immutable
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let messages: Messages

    // owned by the calling thread
    private var latest: (track: ObjectIdentifier, tiles: [OverlayTile])?

    /// - Parameters:
    ///   - size: of the frames drawn on.
    ///   - film: the size of the film, for which scripts count pixels.
    init(size: PixelSize, film: PixelSize) throws(MediaError) {
        guard let library = ass_library_init() else { throw Self.failure("ass_library_init") }
        messages = Messages()
        ass_set_message_cb(library, keepMessage, Unmanaged.passUnretained(messages).toOpaque())
        ass_set_extract_fonts(library, 1)
        for font in FontRegistry.paths { Self.add(font, to: library) }
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            throw Self.failure("ass_renderer_init")
        }
        self.library = library
        self.renderer = renderer
        ass_set_frame_size(renderer, Int32(size.width), Int32(size.height))
        ass_set_storage_size(renderer, Int32(film.width), Int32(film.height))
        ass_set_pixel_aspect(renderer, 1)
        ass_set_hinting(renderer, ASS_HINTING_NONE)
        ass_set_cache_limits(renderer, 0, Self.cacheSize)
        ass_set_fonts(
            renderer, nil, "Sans", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    }

    deinit {
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// What of the scripts could not be drawn as it says, sentences' ends, each once.
    var warnings: [String] { messages.warnings }

    /// Takes a script in.
    func track(_ script: SubtitleScript) throws(MediaError) -> Track {
        guard let pointer = ass_new_track(library) else { throw Self.failure("ass_new_track") }
        let track = Track(pointer, of: self)
        // each line is there once
        ass_set_check_readorder(pointer, 0)
        if script.isPlain { ass_track_set_feature(pointer, ASS_FEATURE_BIDI_BRACKETS, 1) }
        var header = script.header.map { CChar(bitPattern: $0) }
        ass_process_codec_private(pointer, &header, Int32(header.count))
        Self.bound(pointer)
        for event in script.events {
            var line = event.line.map { CChar(bitPattern: $0) }
            ass_process_chunk(
                pointer, &line, Int32(line.count), event.range.lowerBound,
                Int64(event.range.count))
        }
        return track
    }

    /// What is on show.
    /// - Parameter time: of the script (milliseconds).
    func tiles(of track: Track, at time: Int64) -> [OverlayTile] {
        var change: Int32 = 0
        let images = ass_render_frame(renderer, track.pointer, time, &change)
        if change == 0, let latest, latest.track == ObjectIdentifier(track) { return latest.tiles }
        let tiles = Self.groups(of: images).map(Self.tile)
        latest = (ObjectIdentifier(track), tiles)
        return tiles
    }

    /// Styles within bounds, whatever a script says.
    private static func bound(_ track: UnsafeMutablePointer<ASS_Track>) {
        // a grid of few lines makes everything large
        if track.pointee.PlayResX > 0 { track.pointee.PlayResX = max(144, track.pointee.PlayResX) }
        if track.pointee.PlayResY > 0 { track.pointee.PlayResY = max(144, track.pointee.PlayResY) }
        for index in 0..<Int(track.pointee.n_styles) {
            let style = track.pointee.styles.advanced(by: index)
            style.pointee.FontSize = SubtitleBounds.size(style.pointee.FontSize)
            style.pointee.ScaleX = SubtitleBounds.size(style.pointee.ScaleX)
            style.pointee.ScaleY = SubtitleBounds.size(style.pointee.ScaleY)
            style.pointee.Spacing = SubtitleBounds.size(style.pointee.Spacing)
            style.pointee.Outline = SubtitleBounds.size(style.pointee.Outline)
            style.pointee.Shadow = SubtitleBounds.size(style.pointee.Shadow)
            style.pointee.Blur = SubtitleBounds.size(style.pointee.Blur)
        }
    }

    private static func add(_ font: String, to library: OpaquePointer) {
        guard let bytes = try? FontRegistry.contents.read(font) else { return }
        var data = bytes.map { CChar(bitPattern: $0) }
        ass_add_font(library, font, &data, Int32(data.count))
    }

    private static func failure(_ function: String) -> MediaError {
        MediaError(
            code: .unsupported, function: function, subject: "libass",
            message: "Cannot draw subtitles: \(function) failed; there may be too little memory.")
    }
}

// MARK: - Pictures

extension SubtitleRenderer {
    /// Images of libass, one drawn over the other, and the rectangle they fill.
    private struct Group {
        var images: [UnsafeMutablePointer<ASS_Image>]
        var x: Range<Int>
        var y: Range<Int>

        func touches(_ other: Group) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

        mutating func add(_ other: Group) {
            images += other.images
            x = min(x.lowerBound, other.x.lowerBound)..<max(x.upperBound, other.x.upperBound)
            y = min(y.lowerBound, other.y.lowerBound)..<max(y.upperBound, other.y.upperBound)
        }
    }

    /// Those that overlap are together, in the order they are drawn in; lines above and below a frame's middle are not
    /// one tile of its size.
    private static func groups(of images: UnsafeMutablePointer<ASS_Image>?) -> [Group] {
        var groups: [Group] = []
        var next = images
        var count = 0
        while let image = next {
            next = image.pointee.next
            let (width, height) = (Int(image.pointee.w), Int(image.pointee.h))
            guard width > 0, height > 0, image.pointee.color & 0xFF < 0xFF else { continue }
            count += 1
            let (x, y) = (Int(image.pointee.dst_x), Int(image.pointee.dst_y))
            var group = Group(images: [image], x: x..<x + width, y: y..<y + height)
            var apart: [Group] = []
            var joined: Group?
            for other in groups {
                guard other.touches(group) || count > mostParts else {
                    apart.append(other)
                    continue
                }
                if joined == nil { joined = other } else { joined?.add(other) }
            }
            if var whole = joined {
                whole.add(group)
                group = whole
            }
            groups = apart + [group]
        }
        return groups
    }

    private static func tile(_ group: Group) -> OverlayTile {
        var picture = PixelBuffer(width: group.x.count, height: group.y.count, format: .bgra)
        picture.withMutablePlanes { planes in
            let plane = planes[0]
            plane.base.initializeMemory(
                as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.rows)
            for image in group.images {
                let image = image.pointee
                for row in 0..<Int(image.h) {
                    let target = plane.row(Int(image.dst_y) - group.y.lowerBound + row)
                        .advanced(by: 4 * (Int(image.dst_x) - group.x.lowerBound))
                    blend(
                        image.bitmap + row * Int(image.stride), Int(image.w), image.color,
                        over: target)
                }
            }
        }
        let tile = DrawnTile(picture)
        return OverlayTile(
            identity: tile.identity, x: group.x.lowerBound, y: group.y.lowerBound,
            image: tile.picture)
    }

    /// - Parameter color: red, green, blue, and how transparent it is, from the highest byte on.
    private static func blend(
        _ coverage: UnsafePointer<UInt8>, _ count: Int, _ color: UInt32,
        over target: UnsafeMutablePointer<UInt8>
    ) {
        let opacity = 255 - Int(color & 0xFF)
        let codes = (
            Int(color >> 8 & 0xFF), Int(color >> 16 & 0xFF), Int(color >> 24)
        )
        for index in 0..<count where coverage[index] > 0 {
            let share = Int(coverage[index]) * opacity
            let open = 255 * 255 - share
            func mixed(_ code: Int, _ under: UInt8) -> UInt8 {
                UInt8((code * share + Int(under) * open + 255 * 127) / (255 * 255))
            }
            let pixel = target + 4 * index
            pixel[0] = mixed(codes.0, pixel[0])
            pixel[1] = mixed(codes.1, pixel[1])
            pixel[2] = mixed(codes.2, pixel[2])
            pixel[3] = mixed(255, pixel[3])
        }
    }
}

// MARK: - What libass says

/// What libass says of scripts and fonts, as far as a user can do something about it.
private final class Messages {
    private(set) var warnings: [String] = []

    fileprivate func take(_ line: String) {
        // "fontselect: Using default font family: (Brand, 400, 0) -> /usr/share/…/DejaVuSans.ttf, 0, DejaVuSans"
        if let mark = line.firstRange(of: "Using default font") {
            let names = line[mark.upperBound...].split(separator: "(", maxSplits: 1).dropFirst()
            guard let family = names.first?.split(separator: ",").first,
                !["Sans", "Serif", "Monospace"].contains(family)
            else { return }
            return add(
                "The font \"\(family)\" of the subtitles is not installed; another one is used instead."
            )
        }
        // "fontselect: failed to find any fallback with glyph 0x10FFFD for font: (Sans, 400, 0)"
        guard let mark = line.firstRange(of: "with glyph 0x"),
            let code = UInt32(line[mark.upperBound...].prefix { $0.isHexDigit }, radix: 16),
            let scalar = Unicode.Scalar(code)
        else { return }
        add(
            "No installed font has the character \(scalar) of the subtitles, which shows as a box; install "
                + "\(FontAdvice.packages(for: [Character(scalar)])).")
    }

    private func add(_ text: String) {
        if warnings.count < 20, !warnings.contains(text) { warnings.append(text) }
    }
}

nonisolated private func keepMessage(
    _ level: Int32, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?,
    _ data: UnsafeMutableRawPointer?
) {
    // errors and warnings
    guard level <= 3, let format, let arguments, let data else { return }
    var line = [CChar](repeating: 0, count: 512)
    vsnprintf(&line, line.count, format, arguments)
    let end = line.firstIndex(of: 0) ?? line.count
    let text = String(decoding: line[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Unmanaged<Messages>.fromOpaque(data).takeUnretainedValue().take(text)
}
