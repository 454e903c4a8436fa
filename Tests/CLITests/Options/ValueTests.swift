import Capture
import Media
import Testing

@testable import vcap

@Suite("Values of options")
struct ValueTests {
    @Test(
        "a duration is read exactly in each way people write it",
        arguments: [
            ("90", 90_000_000_000), ("1.5", 1_500_000_000), ("1m30s", 90_000_000_000),
            ("00:01:30", 90_000_000_000), ("01:30", 90_000_000_000), ("1h", 3_600_000_000_000),
            ("250ms", 250_000_000), ("1s500ms", 1_500_000_000), ("00:00:00.040", 40_000_000),
            ("0.000000001", 1), ("31d", 2_678_400_000_000_000),
        ])
    func duration(text: String, nanoseconds: Int64) {
        #expect(ValueKind.duration.parse(text)?.nanoseconds() == nanoseconds)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "0", "-1", "abc", "1x", "30s1m", "1s1s", "::", "1:60", "1:2:3:4", "1e3", ".5", "5.",
            "32d", "99999999999999999999", "1m 30s", "٣", "0.0000000001", "inf",
        ])
    func noDuration(text: String) {
        #expect(ValueKind.duration.parse(text) == nil)
    }

    @Test(
        "a size is read as numbers or as a name",
        arguments: [
            ("1280x720", 1280, 720), ("720p", 1280, 720), ("1080P", 1920, 1080), ("4k", 3840, 2160),
            ("1x1", 1, 1), ("16384x16384", 16_384, 16_384),
        ])
    func size(text: String, width: Int, height: Int) {
        #expect(ValueKind.size.parse(text) == PictureSize(width: width, height: height))
    }

    @Test(
        "what is no size is refused",
        arguments: ["", "720", "0x720", "1280x", "x", "1280x720x1", "16385x1", "-1x5", "8k"])
    func noSize(text: String) {
        #expect(ValueKind.size.parse(text) == nil)
    }

    @Test(
        "a frame rate is exact, broadcast decimals included",
        arguments: [
            ("30", 30, 1), ("30000/1001", 30_000, 1001), ("29.97", 30_000, 1001),
            ("23.976", 24_000, 1001), ("59.94", 60_000, 1001), ("12.5", 25, 2), ("1/10", 1, 10),
        ])
    func rate(text: String, numerator: Int, denominator: Int) {
        let rate = FrameRate(Int32(numerator), per: Int32(denominator))
        #expect(ValueKind.rate.parse(text) == .exactly(rate))
    }

    @Test("what a duration may be at most is said")
    func limits() {
        #expect(ValueKind<MediaTime>.duration.parse("31d") != nil)
        #expect(ValueKind<MediaTime>.duration.parse("32d") == nil)
        #expect(ValueKind<MediaTime>.duration.expected.contains("31 days"))
    }

    @Test("advice of a verb without a camera is about what the verb can do")
    func advice() {
        #expect(DeviceChoice.Purpose.recording.rawValue.contains("record audio"))
        for purpose in [DeviceChoice.Purpose.formats, .controls] {
            #expect(!purpose.rawValue.contains("record"))
        }
    }

    @Test("the rate max asks for the highest the camera has")
    func highestRate() {
        #expect(ValueKind.rate.parse("max") == .max)
    }

    @Test(
        "what is no frame rate is refused",
        arguments: [
            "", "0", "abc", "30/0", "0/1", "1001", "1/1001", "30/1/1", "-30", "5000000000/1",
        ])
    func noRate(text: String) {
        #expect(ValueKind.rate.parse(text) == nil)
    }

    @Test(
        "a bit rate takes k, M and G",
        arguments: [("8M", 8_000_000), ("2500k", 2_500_000), ("1.5M", 1_500_000), ("9000", 9000)])
    func bitrate(text: String, bits: Int) {
        #expect(ValueKind.bitrate.parse(text) == bits)
    }

    @Test("what is no bit rate is refused", arguments: ["", "M", "8MB", "0", "10", "2G", "-8M"])
    func noBitrate(text: String) {
        #expect(ValueKind.bitrate.parse(text) == nil)
    }

    @Test("the distance of sync samples is a time or a number of frames")
    func keyFrames() {
        #expect(ValueKind.keyFrameDistance.parse("30") == .frames(30))
        #expect(ValueKind.keyFrameDistance.parse("1s") == .time(.seconds(1)))
        #expect(ValueKind.keyFrameDistance.parse("500ms") == .time(.milliseconds(500)))
        #expect(ValueKind.keyFrameDistance.parse("0") == nil)
        #expect(ValueKind.keyFrameDistance.parse("2m") == nil)
    }

    @Test("a control is a V4L2 name and a whole number or a switch word")
    func control() {
        #expect(
            ValueKind.control.parse("exposure_time_absolute=200")
                == .native(name: "exposure_time_absolute", value: 200))
        #expect(
            ValueKind.control.parse("White-Balance=off")
                == .native(name: "white_balance", value: 0))
        #expect(ValueKind.control.parse("pan=-3600") == .native(name: "pan", value: -3600))
        for wrong in ["", "=", "a=", "=1", "a=x", "a b=1", "a"] {
            #expect(ValueKind.control.parse(wrong) == nil)
        }
    }

    @Test("a key is a character or the name of one that has none")
    func key() {
        #expect(ValueKind.key.parse("p") == Key(byte: 0x70))
        #expect(ValueKind.key.parse("space") == Key(byte: 0x20))
        #expect(ValueKind.key.parse("Enter") == Key(byte: 0x0A))
        for wrong in ["", "pp", "ä", " ", "f1"] { #expect(ValueKind.key.parse(wrong) == nil) }
        #expect(Key(byte: 0x20).name == "space")
        #expect(Key(byte: 0x70).name == "p")
    }

    @Test("a session's name is a plain file name")
    func session() {
        #expect(ValueKind.session.parse("lecture-1") == "lecture-1")
        for wrong in ["", ".hidden", "a/b", "..", "a b", String(repeating: "x", count: 41)] {
            #expect(ValueKind.session.parse(wrong) == nil)
        }
    }

    @Test("progress goes to standard output, a descriptor or a file")
    func progress() {
        #expect(ValueKind.progressTarget.parse("-") == .standardOutput)
        #expect(ValueKind.progressTarget.parse("fd:3") == .descriptor(3))
        #expect(ValueKind.progressTarget.parse("p.txt") == .file("p.txt"))
        #expect(ValueKind.progressTarget.parse("fd:x") == nil)
        #expect(ValueKind.progressTarget.parse("") == nil)
    }
}
