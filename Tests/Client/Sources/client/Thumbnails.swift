import Compose
import Media
import Reading

/// Five thumbnails of a movie, of whatever sync samples are near, and its frame at one second exactly.
func thumbnails(of movie: String) async throws {
    let asset = try await Asset(loading: movie)
    var settings = ImageGeneratorSettings(maximumSize: PixelSize(width: 160, height: 160))
    settings.requestedTimeToleranceBefore = .seconds(1)
    settings.requestedTimeToleranceAfter = .seconds(1)
    let generator = try ImageGenerator(asset: asset, settings: settings)
    for await element in try generator.thumbnails(count: 5) {
        switch element {
        case .success(let wanted, let image, let shown):
            print(wanted.approximateSeconds, shown.approximateSeconds, image.width, image.height)
        case .failure(let wanted, let error):
            print(wanted.approximateSeconds, error)
        }
    }
    let (poster, time) = try await ImageGenerator(asset: asset).image(at: .seconds(1))
    let middle = poster.withPlane(0) { Int($0.row(poster.height / 2)[4 * (poster.width / 2) + 1]) }
    print("green at", time.approximateSeconds, middle)
}
