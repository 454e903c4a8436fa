internal import LibAV
public import Media

/// Small pictures of a movie at even times on a few sheets, and the text by which web players show them above their
/// scrubber. A value; the pictures come from an `ImageGenerator`.
///
/// Source: WebVTT (W3C), Media Fragments URI 1.0, 4.2.2 (`#xywh=`).
public struct Storyboard: Sendable, Hashable {
    /// When each picture is shown (movie or timeline time, rising).
    public let times: [MediaTime]
    /// Until when the last one stands for the movie.
    public let end: MediaTime
    /// Of a picture (pixels).
    public let tile: PixelSize
    /// Pictures of a sheet, across and down (counts).
    public let columns: Int
    public let rows: Int

    /// - Parameters:
    ///   - times: rising, at least one.
    ///   - end: after the last of them.
    ///   - tile: positive.
    ///   - columns: 1…100.
    ///   - rows: 1…100.
    /// - Throws: `invalid-setting`, naming the field.
    public init(
        times: [MediaTime], end: MediaTime, tile: PixelSize, columns: Int = 5, rows: Int = 5
    ) throws(MediaError) {
        guard let last = times.last, zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .setting("times", "The times of a storyboard rise, and there is at least one.")
        }
        guard end > last else {
            throw .setting("end", "A storyboard ends after the time of its last picture.")
        }
        guard tile.width > 0, tile.height > 0, (1...100).contains(columns),
            (1...100).contains(rows)
        else {
            throw .setting(
                "columns", "A sheet has 1 to 100 columns and rows of pictures of some size.")
        }
        (self.times, self.end, self.tile) = (times, end, tile)
        (self.columns, self.rows) = (columns, rows)
    }

    /// Sheets that hold all pictures (count).
    public var sheetCount: Int { (times.count + perSheet - 1) / perSheet }

    private var perSheet: Int { columns * rows }

    /// Which pictures a sheet holds.
    /// - Parameter sheet: from 0.
    public func pictures(on sheet: Int) -> Range<Int> {
        let start = min(times.count, sheet * perSheet)
        return start..<min(times.count, start + perSheet)
    }

    /// The upper left corner of a picture on its sheet (pixels).
    public func origin(of picture: Int) -> (x: Int, y: Int) {
        let (row, column) = (picture % perSheet).quotientAndRemainder(dividingBy: columns)
        return (column * tile.width, row * tile.height)
    }

    /// A sheet of its pictures, as large as they need; smaller ones lie in the middle of their places, on black.
    /// - Parameter images: bgra, in order, none larger than `tile`.
    public func sheet(_ images: [PixelBuffer]) -> PixelBuffer {
        let across = min(columns, max(1, images.count))
        let down = max(1, (images.count + columns - 1) / columns)
        var sheet = PixelBuffer(
            width: across * tile.width, height: down * tile.height, format: .bgra)
        sheet.withMutablePlanes { planes in
            for y in 0..<planes[0].rows {
                let row = planes[0].row(y)
                for x in 0..<across * tile.width {
                    (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (0, 0, 0, 255)
                }
            }
            for (index, image) in images.enumerated() {
                let corner = origin(of: index)
                let (width, height) = (
                    min(image.width, tile.width), min(image.height, tile.height)
                )
                let x = corner.x + (tile.width - width) / 2
                let y = corner.y + (tile.height - height) / 2
                image.withPlane(0) { source in
                    for line in 0..<height {
                        planes[0].row(y + line).advanced(by: 4 * x)
                            .update(from: source.row(line), count: 4 * width)
                    }
                }
            }
        }
        return sheet
    }

    /// The WebVTT text: a cue for each picture, until the next one.
    /// - Parameter name: of a sheet (from 0), as it is found from the text.
    public func text(_ name: (Int) -> String) -> String {
        var lines = ["WEBVTT", ""]
        for (index, time) in times.enumerated() {
            let next = index + 1 < times.count ? times[index + 1] : end
            let (x, y) = origin(of: index)
            lines += [
                "\(Self.stamp(time)) --> \(Self.stamp(next))",
                "\(name(index / perSheet))#xywh=\(x),\(y),\(tile.width),\(tile.height)", "",
            ]
        }
        return lines.joined(separator: "\n")
    }

    /// `HH:MM:SS.mmm`
    private static func stamp(_ time: MediaTime) -> String {
        let milliseconds = time.ticks(per: 1000, rounding: .nearest)
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000
        return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":"
            + digits(seconds % 60, 2) + "." + digits(milliseconds % 1000, 3)
    }
}

extension FilmStills.Form {
    /// A picture of an `ImageGenerator` as a file's bytes.
    /// - Parameter image: bgra or rgba64le in sRGB; opacity is kept in PNG.
    public func bytes(of image: PixelBuffer) throws(MediaError) -> [UInt8] {
        let format = VideoFormat(
            coding: .raw(image.format), width: image.width, height: image.height)
        return try StillEncoder.encode(
            image, format: format, as: self == .png ? .png : .jpeg,
            ignoresOpacity: !image.isTransparentInPart)
    }
}
