import Media
import Testing

@testable import Writing

@Suite("Samples on their way to the encoder")
struct SampleQueueTests {
    @Test("a frame that was taken is the encoder's alone, so that a pool of a few is enough")
    func released() throws {
        let format = VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16)
        let pool = PixelBufferPool(width: 16, height: 16, format: .yuv420p, limit: 4)
        let queue = SampleQueue(capacity: 1 << 20)
        func push() throws {
            let frame = try pool.makeBuffer()
            queue.push(
                SampleBuffer(
                    payload: .pixels(frame), format: .video(format), presentationTime: .zero),
                bytes: 384)
        }
        // never empty, as while an encoder is behind
        for _ in 0..<3 { try push() }
        for _ in 0..<200 {
            _ = queue.pop()
            try push()
        }
        #expect(pool.outCount == 3)
    }
}
