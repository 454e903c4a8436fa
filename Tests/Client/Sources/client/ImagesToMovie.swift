import Media
import Writing

/// Images in memory (RGBA, row by row) as a movie of 25 frames a second, through a pool of buffers.
func imagesToMovie(_ images: [[UInt8]], width: Int, height: Int, _ path: String) async throws {
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
    let receiver = try writer.pixelBufferReceiver(
        for: VideoOutputSettings(codec: .h264),
        sourceFormat: VideoFormat(coding: .raw(.rgba), width: width, height: height))
    try writer.startSession(atSourceTime: .zero)
    for (index, image) in images.enumerated() {
        var frame = await receiver.pool.nextBuffer()
        frame.withMutablePlanes { planes in
            for row in 0..<height {
                let pixels = image[row * width * 4..<(row + 1) * width * 4]
                planes[0].row(row).update(from: Array(pixels), count: width * 4)
            }
        }
        try await receiver.append(frame, at: MediaTime(value: Int64(index), timescale: 25))
    }
    receiver.finish()
    try writer.endSession(atSourceTime: MediaTime(value: Int64(images.count), timescale: 25))
    let result = try await writer.finish()
    print(result.duration.approximateSeconds, "seconds,", result.byteCount, "bytes")
}
