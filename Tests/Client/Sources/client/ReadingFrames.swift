import Media
import Reading

/// How bright each frame of a movie's second second is: the mean of its luma (0…255).
func brightness(of movie: String) async throws {
    let asset = try await Asset(loading: movie)
    print(asset.container, asset.duration.approximateSeconds, asset.tracks.map(\.mediaType))
    guard let track = asset.tracks(of: .video).first else { return }
    let output = try AssetReaderTrackOutput(
        asset: asset, track: track, settings: .frames(.yuv420p))
    let reader = AssetReader()
    reader.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(1))
    try reader.add(output)
    for try await sample in reader.samples(of: output) {
        guard let frame = sample.pixelBuffer else { continue }
        let sum = frame.withPlane(0) { luma in
            (0..<frame.height).reduce(0) { sum, row in
                (0..<frame.width).reduce(sum) { $0 + Int(luma.row(row)[$1]) }
            }
        }
        print(sample.presentationTime.approximateSeconds, sum / (frame.width * frame.height))
    }
}
