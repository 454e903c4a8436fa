import Compose
import Media

/// Photographs as a time-lapse of ten a second, 640 pixels wide.
func timeLapse(_ photographs: [String], _ path: String) async throws {
    let each = FrameRate(10).frameDuration
    var settings = ConversionSettings()
    settings.size = PixelSize(width: 640, height: 360)
    settings.fit = .cover
    settings.video = .codec(.h264)
    let conversion = try Conversion(
        sequence: photographs.map { SequencePicture($0, duration: each) }, settings: settings)
    let session = ConversionSession(conversion)
    let report = try await session.convert(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
