internal import LibAV
public import Media

/// Frames of a film as picture files. Blocks; not for Swift's cooperative pool.
public struct FilmStills {
    /// How a picture is coded.
    public enum Form: Sendable {
        case png
        case jpeg

        /// By a file's ending (`png`, `jpg`, `jpeg`); nil for any other.
        public init?(path: String) {
            switch StillEncoder.Form(path: path) {
            case .png: self = .png
            case .jpeg: self = .jpeg
            case nil: return nil
            }
        }
    }

    public let film: Film

    public init(_ film: Film) { self.film = film }

    /// What is to be told of the pictures as files, one sentence each.
    public var notes: [String] {
        [film.videoComposition?.color.stillCaution(of: "the film")].compactMap { $0 }
    }

    /// The frame on show at an instant, in the film's own size.
    /// - Throws: `invalid-setting` outside the film; what is wrong with a source.
    public func frame(at time: MediaTime, as form: Form = .png) throws(MediaError) -> [UInt8] {
        try film.requireReadablePictures()
        let film = try film.withPictures()
        let format = try film.stillFormat(try film.stillSize())
        let renderer = try FilmRenderer(
            film, format: format, threads: nil, shelf: SourceShelf(film.assets))
        return try code(try renderer.picture(at: try film.frameTime(time)), format, form)
    }

    /// Frames from all over the film, row by row, on a dark ground.
    /// - Parameters:
    ///   - columns, rows: frames across and down (count; positive).
    ///   - width: of the whole sheet (pixels; at least 64 for each column).
    public func contactSheet(
        columns: Int = 4, rows: Int = 3, width: Int = 1280, as form: Form = .png
    ) throws(MediaError) -> [UInt8] {
        try film.requireReadablePictures()
        let film = try film.withPictures()
        let sheet = ContactSheet(
            frame: try film.stillSize(), columns: columns, rows: rows, width: width)
        let cellFormat = try film.stillFormat(sheet.cell)
        let renderer = try FilmRenderer(
            film, format: cellFormat, threads: nil, shelf: SourceShelf(film.assets))
        let sheetFormat = try film.stillFormat(sheet.size)
        let count = columns * rows
        var layers: [SceneLayer] = []
        for index in 0..<count {
            let share = film.composition.duration.timelineTicks * (2 * Int64(index) + 1)
            let time = MediaTime.timeline(share / (2 * Int64(count)))
            let place = sheet.origin(of: index)
            layers.append(
                SceneLayer(
                    picture: try renderer.picture(at: try film.frameTime(time)), format: cellFormat,
                    transform: .translation(x: Double(place.x), y: Double(place.y))))
        }
        guard let pixels = sheetFormat.pixelFormat else { throw Film.noPictures }
        let compositor = try PictureCompositor(
            target: sheetFormat, threads: 1,
            pool: PixelBufferPool(
                width: sheetFormat.width, height: sheetFormat.height, format: pixels, limit: 2))
        let picture = try compositor.compose(
            Scene(background: Color(red: 0.1, green: 0.1, blue: 0.1), layers: layers))
        return try code(picture, sheetFormat, form)
    }

    private func code(
        _ picture: PixelBuffer, _ format: VideoFormat, _ form: Form
    ) throws(MediaError) -> [UInt8] {
        try StillEncoder.encode(picture, format: format, as: form == .png ? .png : .jpeg)
    }
}

extension Film {
    fileprivate static let noPictures = MediaError.setting("film", "The film has no pictures.")

    fileprivate func stillSize() throws(MediaError) -> PixelSize {
        guard let pictures = videoComposition else { throw Self.noPictures }
        return pictures.scaledSize
    }

    fileprivate func stillFormat(_ size: PixelSize) throws(MediaError) -> VideoFormat {
        guard let pictures = videoComposition else { throw Self.noPictures }
        return VideoFormat(
            coding: .raw(pictures.pixelFormat), width: size.width, height: size.height,
            color: pictures.color)
    }

    /// The instant of the frame on show.
    fileprivate func frameTime(_ time: MediaTime) throws(MediaError) -> MediaTime {
        guard let pictures = videoComposition else { throw Self.noPictures }
        guard time >= .zero, time < composition.duration else {
            throw .setting(
                "time",
                "The film has no frame at \(time.spoken); it lasts "
                    + "\(composition.duration.spoken).")
        }
        let frame = pictures.frameDuration.timelineTicks
        return .timeline(time.timelineTicks / frame * frame)
    }
}
