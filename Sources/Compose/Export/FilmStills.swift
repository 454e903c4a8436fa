internal import LibAV
public import Media

/// Frames of a film as picture files. Blocks; not for Swift's cooperative pool.
public struct FilmStills: Sendable {
    /// How a frame is coded.
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
    /// Whether a PNG keeps light and colours of an HDR film's frames, in 16 bits, and states them (cICP), instead of
    /// having them brought to SDR, as in a JPEG. Frames of SDR in the colours of sRGB are the same either way.
    public let keepsLight: Bool

    public init(_ film: Film, keepsLight: Bool = false) {
        self.film = film
        self.keepsLight = keepsLight
    }

    /// What is to be said of the frames as files, one sentence each.
    public var notes: [String] {
        guard !keepsLight else { return [] }
        return [film.videoComposition?.color.stillCaution(of: "the film")].compactMap { $0 }
    }

    /// Whether the frames have more light or colours than SDR.
    package var hasMoreThanStandard: Bool {
        film.videoComposition?.color.wideName != nil
    }

    /// The frame on show at an instant, in the film's own size.
    /// - Throws: `invalid-setting` outside the film; what is wrong with a source.
    public func frame(at time: MediaTime, as form: Form = .png) throws(MediaError) -> [UInt8] {
        let frames = try FilmFrames(film)
        return try code(try frames.frame(at: time).picture, frames.format, form)
    }

    /// The frames on show at several instants, each in the film's own size, one after the other: sources are opened
    /// once.
    /// - Parameters:
    ///   - times: of the timeline; quickest in order.
    ///   - form: of the files that are made.
    ///   - receive: takes an instant and its file's bytes.
    /// - Throws: `invalid-setting` outside the film; what is wrong with a source; what `receive` throws.
    public func eachFrame(
        at times: [MediaTime], as form: Form = .png,
        _ receive: (MediaTime, [UInt8]) throws -> Void
    ) throws {
        let frames = try FilmFrames(film)
        // before the first one is made
        for time in times { try frames.require(time) }
        for time in times {
            try receive(time, try code(try frames.frame(at: time).picture, frames.format, form))
        }
    }

    /// Frames from all over the film, or its range, row by row, on a dark ground.
    /// - Parameters:
    ///   - columns: frames across (count; positive).
    ///   - rows: frames down (count; positive).
    ///   - width: of the whole sheet (pixels; at least 64 for each column).
    ///   - form: of the file that is made.
    public func contactSheet(
        columns: Int = 4, rows: Int = 3, width: Int = 1280, as form: Form = .png
    ) throws(MediaError) -> [UInt8] {
        // the sheet's cells are made once the film's own size is known
        var sheet: ContactSheet?
        let frames = try FilmFrames(film) { size in
            let made = ContactSheet(frame: size, columns: columns, rows: rows, width: width)
            sheet = made
            return made.cell
        }
        guard let sheet, let sheetFormat = frames.film.videoComposition?.format(sheet.size) else {
            throw Film.noFrames
        }
        var layers: [SceneLayer] = []
        for (index, time) in (film.range ?? frames.timeRange).middles(columns * rows)
            .enumerated()
        {
            let place = sheet.origin(of: index)
            layers.append(
                SceneLayer(
                    picture: try frames.frame(at: time).picture, format: frames.format,
                    transform: .translation(x: Double(place.x), y: Double(place.y))))
        }
        guard let pixels = sheetFormat.pixelFormat else { throw Film.noFrames }
        let compositor = try FrameCompositor(
            target: sheetFormat, threads: 1,
            pool: PixelBufferPool(
                width: sheetFormat.width, height: sheetFormat.height, format: pixels, limit: 2))
        let picture = try compositor.compose(
            Scene(background: Color(red: 0.1, green: 0.1, blue: 0.1), layers: layers))
        return try code(picture, sheetFormat, form)
    }

    private func code(
        _ frame: PixelBuffer, _ format: VideoFormat, _ form: Form
    ) throws(MediaError) -> [UInt8] {
        if keepsLight, form == .png, StandardFrames.changes(format) {
            return try StillEncoder.encodeLight(frame, format: format)
        }
        let (frame, format) = try StandardFrames().standard(frame, format)
        return try StillEncoder.encode(frame, format: format, as: form == .png ? .png : .jpeg)
    }
}
