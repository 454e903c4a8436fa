import Media
import Reading
import Writing

/// Reader to writer: coded samples as they are, from one container into another.
func remux(_ source: String, _ path: String) async throws {
    let (asset, reader) = (try await Asset(loading: source), AssetReader())
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
    var copies: [(AssetReaderTrackOutput, SampleBufferReceiver)] = []
    for track in asset.tracks where track.mediaType != .text {
        let output = try AssetReaderTrackOutput(asset: asset, track: track)
        guard let format = output.format else { continue }
        try reader.add(output)
        copies.append((output, try writer.inputReceiver(passingThrough: format)))
    }
    try writer.startSession(atSourceTime: .zero)
    try await withThrowingTaskGroup { group in
        for (output, receiver) in copies {
            group.addTask {
                for try await sample in reader.samples(of: output) {
                    try await receiver.append(sample)
                }
                receiver.finish()
            }
        }
        try await group.waitForAll()
    }
    try writer.endSession(atSourceTime: asset.duration)
    print(try await writer.finish().duration.approximateSeconds, "seconds")
}
