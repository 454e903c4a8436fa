import Compose
import Media
import Reading

/// Two clips one after the other, of the higher one's rate; the first comes from the left and brightens by curves.
func easedOpening(_ first: String, _ second: String, _ path: String) async throws {
    let clips = [try await Asset(loading: first), try await Asset(loading: second)]
    var composition = Composition()
    for clip in clips { try composition.insert(clip, at: composition.duration) }
    // size of the first, the highest rate, an instruction for each clip
    var video = try VideoComposition(propertiesOf: composition, assets: clips, fit: .cover)
    let opening = MediaTimeRange(start: .zero, duration: .seconds(1))
    var layer = video.instructions[0].layers[0]
    let place = layer.transform(at: .zero)
    let aside = Transform2D.translation(x: -Double(video.renderSize.width), y: 0)
    layer.transforms = [
        TransformRamp(
            timeRange: opening, from: place.followed(by: aside), to: place, curve: .easeOut)
    ]
    layer.opacities = [OpacityRamp(timeRange: opening, from: 0, to: 1, curve: .easeIn)]
    video.instructions[0].layers[0] = layer
    let film = Film(composition: composition, videoComposition: video, assets: clips)
    let session = ExportSession(film)
    print(try await session.compatibleContainers().map(\.rawValue).joined(separator: " "))
    let report = try await session.export(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
