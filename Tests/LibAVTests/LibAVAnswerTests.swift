import LibAV
import Media
import Testing

@Test("an error number is reported in libav's own words")
func errorText() {
    #expect(MediaError.libavText(for: -12) == "Cannot allocate memory")
    #expect(MediaError.libavText(for: -541_478_725) == "End of file")
}

/// What a decoder answers to four bytes of nothing.
private func failure(_ codec: VideoCodec) -> MediaError? {
    let format = VideoFormat(coding: .coded(codec), width: 16, height: 16)
    let sample = SampleBuffer(
        payload: .coded(BlockBuffer([0xFF, 0xD8, 1, 2])), format: .video(format),
        presentationTime: .zero)
    do throws(MediaError) {
        _ = try VideoDecoder(format: format).decode(sample)
    } catch { return error }
    return nil
}

@Test("a failure carries the line libav logged on that thread, and only its own")
func logLine() throws {
    let other = BlockingLock<MediaError?>(nil)
    let error = try #require(failure(.mjpeg))
    let thread = NamedThread(name: "test-log") { other.withLock { $0 = failure(.png) } }
    thread.join()
    let line = try #require(error.logLine)
    #expect(line.contains("mjpeg") && !line.contains("0x"), "\(line)")
    #expect(error.message.contains(line))
    let otherLine = try #require(other.withLock { $0 }?.logLine)
    #expect(otherLine.contains("png"))
}
