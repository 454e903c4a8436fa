import Foundation
import Media
import Recording
import TestSupport
import Testing

@testable import vcap

@Suite("Progress and the status line")
struct ProgressTests {
    private var status: RecorderStatus {
        var camera = RecorderStatus.Track(index: 0, mediaType: .video, name: "Camera")
        camera.frames = 2737
        camera.repeatedFrames = 4
        camera.measuredRate = 29.97
        camera.nominalRate = FrameRate(30)
        camera.drops = [.driverGap: 2, .encoderBehind: 1, .late: 0]
        var microphone = RecorderStatus.Track(index: 1, mediaType: .audio, name: "Microphone")
        microphone.audioPeak = -12.4
        var status = RecorderStatus()
        status.state = .recording
        status.elapsed = MediaTime(value: 91_250, timescale: 1000)
        status.wantedLength = .seconds(365)
        status.tracks = [camera, microphone]
        status.bytesWritten = 45_625_000
        status.secondsLeft = 8000
        return status
    }

    @Test("a report has ffmpeg's keys and ours, and ends with progress")
    func keyValue() {
        let text = ProgressReport.text(ProgressSnapshot(status), isEnd: false, form: .keyValue)
        #expect(
            text == """
                frame=2737
                fps=29.97
                bitrate=4000.0kbits/s
                total_size=45625000
                out_time_us=91250000
                out_time=00:01:31.250000
                dup_frames=4
                drop_frames=3
                speed=1.00x
                sources_gone=0
                sources_black=0
                sources_frozen=0
                sources_silent=0
                percent=25.0
                eta_us=273750000
                state=recording
                progress=continue

                """)
    }

    @Test("without a wanted length there is no percent, and nothing yet has no bit rate")
    func unknowns() {
        let nothing = ProgressSnapshot(RecorderStatus())
        let text = ProgressReport.text(nothing, isEnd: true, form: .keyValue)
        #expect(!text.contains("percent"))
        #expect(!text.contains("eta_us"))
        #expect(text.contains("bitrate=N/A\n"))
        #expect(text.hasSuffix("progress=end\n"))
    }

    @Test("as JSON a report is one line that reads back")
    func ndjson() throws {
        let text = ProgressReport.text(ProgressSnapshot(status), isEnd: true, form: .ndjson)
        #expect(text.hasSuffix("\n") && text.dropLast().allSatisfy { $0 != "\n" })
        let value = try JSONParser.parse(Array(text.utf8), as: .json)
        #expect(value["frame"]?.wholeNumber == 2737)
        #expect(value["out_time_us"]?.wholeNumber == 91_250_000)
        #expect(value["progress"]?.text == "end")
    }

    @Test("the status line never reaches the last column, and drops what matters least")
    func statusLine() {
        let full = StatusLine.text(status, width: 200)
        #expect(full.contains("00:01:31/00:06:05"))
        #expect(full.contains("30.0/30 fps"))
        #expect(full.contains("3 dropped (driver-gap 2, encoder-behind 1)"))
        #expect(full.contains("-12 dB"))
        #expect(full.contains("45.6 MB"))
        #expect(full.contains("2h13m left on disk"))
        for width in 1...200 {
            #expect(StatusLine.text(status, width: width).count < max(width, 1))
        }
        #expect(StatusLine.text(status, width: 20).hasPrefix("● rec"))
    }

    @Test("a reader that is slow holds nothing: reports are missed, not waited for")
    func slowReader() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let writer = try ProgressWriter(
            .descriptor(descriptor), form: .keyValue, replacesExisting: false)
        let start = HostClock().now()
        for _ in 0..<2000 { writer.write(ProgressSnapshot(status), isEnd: false) }
        #expect((HostClock().now() - start) < .seconds(2))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.hasPrefix("frame="))
    }

    @Test("progress is not written over a file, nor through a link")
    func files() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("p")
        try "x".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: CommandFailure.self) {
            _ = try ProgressWriter(.file(path), form: .keyValue, replacesExisting: false)
        }
        let link = folder.file("l")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: CommandFailure.self) {
            _ = try ProgressWriter(.file(link), form: .keyValue, replacesExisting: true)
        }
        // nor over what is no progress report, whatever is said
        #expect(throws: CommandFailure.self) {
            _ = try ProgressWriter(.file(path), form: .keyValue, replacesExisting: true)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "x")
        try "frame=1\n".write(toFile: path, atomically: true, encoding: .utf8)
        let writer = try ProgressWriter(.file(path), form: .keyValue, replacesExisting: true)
        writer.write(ProgressSnapshot(status), isEnd: true)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("frame=2737"))
        #expect(throws: CommandFailure.self) {
            _ = try ProgressWriter(.descriptor(917), form: .ndjson, replacesExisting: false)
        }
    }

    @Test("what checks a place for progress makes nothing there")
    func checks() throws {
        let folder = try TemporaryFolder()
        try ProgressTarget.file(folder.file("new")).check(replacesExisting: false, besides: [])
        #expect(folder.contents.isEmpty)
        #expect(throws: CommandFailure.self) {
            try ProgressTarget.file(folder.file("none/new")).check(
                replacesExisting: false, besides: [])
        }
        try "frame=1\n".write(
            toFile: folder.file("old"), atomically: true, encoding: .utf8)
        #expect(throws: CommandFailure.self) {
            try ProgressTarget.file(folder.file("old")).check(replacesExisting: false, besides: [])
        }
        try ProgressTarget.file(folder.file("old")).check(replacesExisting: true, besides: [])
        #expect(try String(contentsOfFile: folder.file("old"), encoding: .utf8) == "frame=1\n")
    }

    @Test("amounts read as people say them")
    func amounts() {
        #expect(Amounts.bytes(999) == "999 B")
        #expect(Amounts.bytes(1_234_567) == "1.2 MB")
        #expect(Amounts.clock(MediaTime(value: 59_999, timescale: 1000)) == "00:00:59")
        #expect(Amounts.clock(.seconds(360_000)) == "100:00:00")
        #expect(Amounts.decimal(-0.04, 1) == "0.0")
        #expect(Amounts.decimal(-1.25, 1) == "-1.3")
        #expect(Amounts.decimal(29.999, 2) == "30.00")
        #expect(Amounts.roughly(seconds: 59) == "59s")
        #expect(Amounts.roughly(seconds: 3660) == "1h01m")
    }
}
