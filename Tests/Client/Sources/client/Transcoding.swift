import Media
import Reading
import Writing

/// Reader to writer: frames decoded and encoded anew, one after the other.
func transcode(_ source: String, _ path: String) async throws {
    let asset = try await Asset(loading: source)
    guard let track = asset.tracks(of: .video).first else { return }
    let output = try AssetReaderTrackOutput(
        asset: asset, track: track, settings: .frames(.yuv420p))
    guard let format = output.format?.video else { return }
    let reader = AssetReader()
    try reader.add(output)
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
    let receiver = try writer.inputReceiver(
        for: VideoOutputSettings(codec: .hevc, rate: .quality(26)), sourceFormat: format)
    try writer.startSession(atSourceTime: .zero)
    for try await sample in reader.samples(of: output) {
        try await receiver.append(sample)
    }
    receiver.finish()
    try writer.endSession(atSourceTime: track.duration)
    print(try await writer.finish().duration.approximateSeconds, "seconds")
}
