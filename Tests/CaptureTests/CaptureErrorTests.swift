import Capture
import Testing

@Test("a capture error reads as its sentence")
func captureErrorSentence() {
    let error = CaptureError(
        code: .noSuchDevice, subject: "/dev/video9", message: "There is no camera /dev/video9.")
    #expect("\(error)" == "There is no camera /dev/video9.")
}
