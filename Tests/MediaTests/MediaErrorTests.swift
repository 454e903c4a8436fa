import Media
import Testing

@Suite("one error for every room")
struct MediaErrorTests {
    @Test("a failure reads as its sentence, whatever else it knows")
    func sentence() {
        let full = MediaError(
            code: .diskFull, function: "pwrite", subject: "a.mp4", errno: 28,
            logLine: "[mp4] no room", message: "The disk is full.")
        #expect("\(full)" == "The disk is full.")
        #expect("\(full.code)" == "disk-full")
    }

    @Test("our own refusal of a device names no C call and no number")
    func ownRefusal() {
        let error = MediaError(
            code: .noSuchDevice, subject: "/dev/video9", message: "There is no camera /dev/video9.")
        #expect(error.function.isEmpty && error.errno == 0 && error.logLine == nil)
    }

    @Test(
        "a program on top of the library adds a kind of failure of its own, which is none of ours")
    func ownCode() {
        let own = MediaError.Code("tape-jammed")
        #expect(own == MediaError.Code("tape-jammed") && own != .deviceFailed)
    }
}
