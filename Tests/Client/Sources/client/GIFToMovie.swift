import Compose
import Media
import Reading

/// A GIF as a movie: every delay exact, shown twice, transparent parts white.
func gifToMovie(_ gif: String, _ path: String) async throws {
    var settings = ConversionSettings()
    settings.loops = 2
    settings.background = .white
    let conversion = Conversion(try await Asset(loading: gif), settings: settings)
    let report = try await ConversionSession(conversion).convert(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
