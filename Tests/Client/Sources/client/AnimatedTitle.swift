import Compose
import Media
import Reading

/// A title that fades in while it grows, over a clip.
func animatedTitle(_ text: String, over clip: String, _ path: String) async throws {
    let asset = try await Asset(loading: clip)
    var composition = Composition()
    try composition.insert(asset, at: .zero)
    var video = try VideoComposition(propertiesOf: composition, assets: [asset])
    let (width, height) = (Double(video.renderSize.width), Double(video.renderSize.height))
    let font = TitleFont(family: "Sans", size: height / 5, weight: 700)
    var title = Layer(
        contents: .text(TextContents(text, font: font, color: .white, alignment: .center)),
        position: Point(x: width / 2, y: height / 2),
        bounds: Rectangle(x: 0, y: 0, width: width, height: height / 2))
    let opening = AnimationTiming(begin: .zero, duration: .seconds(1), curve: .easeOut)
    title.animations = [
        .basic(.opacity, from: 0, to: 1, timing: opening),
        .basic(.scale, from: Point(x: 0.5, y: 0.5), to: Point(x: 1, y: 1), timing: opening),
    ]
    video.animation = Layer(covering: video.renderSize, sublayers: [title])
    let film = Film(composition: composition, videoComposition: video)
    let report = try await ExportSession(film).export(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
