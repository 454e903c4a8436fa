import Media
import Recording
import Testing
import Writing

@testable import vcap

struct TakeAnnouncementTests {
    @Test(
        "frames of a high dynamic range that a take codes with 8 bits are reported",
        arguments: [(UInt8(16), "PQ"), (18, "HLG"), (1, nil)])
    func light(_ transfer: UInt8, _ name: String?) {
        var settings = RecordingSettings(outputPath: "take.mp4")
        settings.video = .encoded(VideoOutputSettings(codec: .h264))
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 64, height: 48,
            color: ColorDescription(primaries: 9, transfer: transfer, matrix: 9, range: .limited))
        let reported = TakeAnnouncement.caution("desk", .video(format), settings)
        #expect(reported?.hasPrefix("the frames of desk are ") == (name == nil ? nil : true))
        if let name { #expect(reported?.contains("\(name) (HDR)") == true) }
        settings.video = .copied
        #expect(TakeAnnouncement.caution("desk", .video(format), settings) == nil)
    }
}
