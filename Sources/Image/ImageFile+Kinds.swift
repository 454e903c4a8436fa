internal import Media

extension ImageFile {
    static func kind(_ file: FileBytes) throws(MediaError) -> Kind? {
        let head = try file.readSome(at: 0, 64)
        if GIFStructure.looksLikeOne(head) { return .gif }
        if WebPStructure.looksLikeOne(head) { return .webp }
        if JPEGStructure.looksLikeOne(head) { return .jpeg }
        if TIFFStructure.looksLikeOne(head) { return .tiff }
        if PNGStructure.looksLikeOne(head) {
            return try PNGStructure.isAnimated(file) ? .apng : .png
        }
        return HEIFBrands.kind(head)
    }

    static func outline(
        _ file: FileBytes, _ kind: Kind, _ limits: ImageLimits, _ rule: DelayRule
    ) throws(MediaError) -> ImageOutline {
        switch kind {
        case .gif: try gif(GIFStructure(file, limits), file, limits, rule)
        case .webp: try webp(WebPStructure(file, limits), file, limits, rule)
        case .png, .apng: try png(PNGStructure(file, limits), file, limits, rule)
        case .jpeg: try jpeg(JPEGStructure(file, limits), file)
        case .tiff: try tiff(TIFFStructure(file, limits), file)
        case .avif: try avif(AVIFReader(file, limits), file, limits, rule)
        case .heic: try heic(HEICReader(file, limits))
        }
    }

    /// Nil for a still picture.
    private static func times(
        _ delays: [MediaTime], _ timescale: Int32, _ rule: DelayRule, _ limits: ImageLimits,
        _ file: FileBytes
    ) throws(MediaError) -> PictureTimes? {
        guard delays.count > 1 else { return nil }
        return try PictureTimes(
            delays, timescale: timescale, rule: rule, limits: limits, of: file.path)
    }

    /// Notes of a picture that are looked at; larger ones say nothing of it (bytes).
    private static let mostNotes = 16 << 20

    /// What a file notes beside its picture; nothing where it is too much.
    private static func note(
        _ place: Range<Int64>?, in file: FileBytes, most: Int = mostNotes
    ) throws(MediaError) -> [UInt8] {
        guard let place, place.count <= most else { return [] }
        return try file.read(place)
    }

    private static func layout(_ hasAlpha: Bool, isDeep: Bool) -> PixelFormat {
        isDeep ? hasAlpha ? .rgba64le : .rgb48le : hasAlpha ? .rgba : .rgb24
    }

    private static func gif(
        _ structure: GIFStructure, _ file: FileBytes, _ limits: ImageLimits, _ rule: DelayRule
    ) throws(MediaError) -> ImageOutline {
        let (width, height) = (structure.width, structure.height)
        let placements = structure.pictures.map(\.placement)
        var outline = ImageOutline(
            width, height, layout(placements.leaveTransparent(width, height), isDeep: false),
            .gif(structure))
        outline.times = try times(
            structure.delays.map { MediaTime(value: Int64($0), timescale: 100) }, 100, rule,
            limits, file)
        outline.loops = structure.loops
        outline.endsEarly = structure.endsEarly
        return outline
    }

    private static func webp(
        _ structure: WebPStructure, _ file: FileBytes, _ limits: ImageLimits, _ rule: DelayRule
    ) throws(MediaError) -> ImageOutline {
        let (width, height) = (structure.width, structure.height)
        let placements = structure.pictures.map(\.placement)
        var outline = ImageOutline(
            width, height, layout(placements.leaveTransparent(width, height), isDeep: false),
            .webp(structure))
        outline.times = try times(
            structure.delays.map { .milliseconds(Int64($0)) }, 1000, rule, limits, file)
        outline.loops = structure.loops
        outline.profile = try note(structure.profile, in: file, most: ColorProfile.most)
        outline.take(exif: try note(structure.exif, in: file))
        return outline
    }

    private static func png(
        _ structure: PNGStructure, _ file: FileBytes, _ limits: ImageLimits, _ rule: DelayRule
    ) throws(MediaError) -> ImageOutline {
        let (width, height) = (structure.width, structure.height)
        var outline: ImageOutline
        if structure.isAnimated {
            let placements = structure.pictures.map(\.placement)
            outline = ImageOutline(
                width, height, layout(placements.leaveTransparent(width, height), isDeep: false),
                .apng(structure))
            outline.times = try times(structure.delays, 1, rule, limits, file)
            outline.loops = structure.loops
        } else {
            outline = ImageOutline(
                width, height,
                layout(structure.mayBeTransparent, isDeep: structure.bitDepth == 16),
                .png(structure))
        }
        // numbers count more than a profile
        if let color = structure.color {
            outline.color = color
        } else {
            outline.profile = try structure.readProfile(file)
        }
        outline.take(exif: try note(structure.exif, in: file))
        return outline
    }

    private static func jpeg(
        _ structure: JPEGStructure, _ file: FileBytes
    ) throws(MediaError) -> ImageOutline {
        let pixels = try JPEGPictures.pixelFormat(structure, file)
        var outline = ImageOutline(
            structure.width, structure.height, pixels, .jpeg(structure))
        if !pixels.isRGB {
            outline.color = .init(primaries: 2, transfer: 13, matrix: 6, range: .full)
        }
        // that of inks is applied where they become RGB
        if structure.components == 3 { outline.profile = structure.profile }
        outline.take(exif: structure.exif)
        return outline
    }

    private static func tiff(
        _ structure: TIFFStructure, _ file: FileBytes
    ) throws(MediaError) -> ImageOutline {
        var outline = ImageOutline(
            structure.width, structure.height,
            layout(structure.hasAlpha, isDeep: structure.bitDepth == 16), .tiff)
        outline.hasMorePages = structure.hasMore
        outline.orientation = structure.orientation ?? .upright
        if structure.colors == 2 {
            outline.profile = try note(structure.profile, in: file, most: ColorProfile.most)
        }
        outline.take(exif: try file.readSome(at: 0, mostNotes), turns: false)
        return outline
    }

    private static func avif(
        _ reader: AVIFReader, _ file: FileBytes, _ limits: ImageLimits, _ rule: DelayRule
    ) throws(MediaError) -> ImageOutline {
        var outline = ImageOutline(
            reader.width, reader.height, layout(reader.hasAlpha, isDeep: reader.isDeep), .avif)
        outline.orientation = reader.orientation
        outline.profile = reader.profile
        outline.color = outline.profile.isEmpty ? reader.color : .pictures
        if reader.count > 1 {
            outline.times = try times(
                reader.delays(), reader.timescale ?? 1000, rule, limits, file)
            outline.loops = reader.loops
        }
        outline.take(exif: reader.exif, turns: false)
        return outline
    }

    private static func heic(_ reader: HEICReader) throws(MediaError) -> ImageOutline {
        var outline = ImageOutline(
            reader.width, reader.height, layout(reader.hasAlpha, isDeep: reader.isDeep), .heic)
        outline.profile = reader.profile
        outline.color = outline.profile.isEmpty ? reader.color : .pictures
        outline.take(exif: reader.exif, turns: false)
        return outline
    }
}
