internal import Media

/// What a file's structure states, of whatever kind it is.
struct ImageOutline {
    var width: Int
    var height: Int
    var pixelFormat: PixelFormat
    var contents: ImageFile.Contents
    var orientation = VideoOrientation.upright
    var color = ColorDescription.pictures
    /// Nil for a still picture.
    var times: PictureTimes?
    var loops: Int?
    var profile: [UInt8] = []
    var captureTime: CaptureTime?
    var endsEarly = false
    var hasMorePages = false

    init(_ width: Int, _ height: Int, _ pixelFormat: PixelFormat, _ contents: ImageFile.Contents) {
        (self.width, self.height) = (width, height)
        self.pixelFormat = pixelFormat
        self.contents = contents
    }

    /// Takes what a picture's Exif data state.
    mutating func take(exif bytes: [UInt8], turns: Bool = true) {
        guard let exif = ExifData(bytes) else { return }
        if turns { orientation = exif.orientation ?? .upright }
        captureTime = CaptureTime(exif)
    }
}

/// When a picture was taken, as a camera records it.
package struct CaptureTime: Sendable, Hashable {
    /// Date and time of day where it was taken: "2026:11:22 03:04:05".
    package let text: String
    /// Digits behind the second's point; empty for none.
    package let fraction: String
    /// From universal time, "+01:00"; nil where the camera does not record it.
    package let offset: String?

    /// - Returns: nil where the data state none.
    init?(_ exif: ExifData) {
        guard let time = exif.originalTime, time.count == 19, time.first != " " else { return nil }
        text = time
        fraction = String((exif.originalFraction ?? "").prefix { $0.isNumber })
        offset = exif.originalOffset.flatMap { $0.count == 6 ? $0 : nil }
    }
}
