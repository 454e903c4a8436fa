import Foundation
import Media
import TestSupport
import Testing

@testable import Recording

private func report() -> TakeReport {
    var report = TakeReport(movie: "take.mp4", container: "mp4")
    report.state = .finished
    report.duration = TakeTime(nanoseconds: 61_000_000_001)
    report.bytes = 12_345_678
    report.clocks = TakeReport.Clocks(
        start: TakeTime(nanoseconds: 1_000_000_000_123), end: nil,
        hostAnchor: TakeTime(nanoseconds: 1_000_000_500_000),
        wallAnchor: TakeTime(nanoseconds: 1_795_210_507_250_000_000),
        wallAnchorText: "2026-11-20T21:35:07.250Z")
    report.pauses = [
        TakeReport.Pause(
            movieTime: TakeTime(nanoseconds: 2_000_000_000),
            start: TakeTime(nanoseconds: 1_002_000_000_123),
            end: TakeTime(nanoseconds: 1_005_000_000_123),
            length: TakeTime(nanoseconds: 3_000_000_000))
    ]
    report.markers = [
        TakeReport.Marker(
            movieTime: TakeTime(nanoseconds: 500_000_000),
            hostTime: TakeTime(nanoseconds: 1_000_500_000_123), text: "one \"two\" …")
    ]
    var video = TakeReport.Track(
        index: 0, mediaType: .video,
        origin: SourceOrigin(identifier: "v4l:by-id:a", name: "Camera", driver: "uvcvideo"),
        granted: TakeReport.GrantedFormat(
            .video(
                VideoFormat(
                    coding: .raw(.yuyv422), width: 1280, height: 720,
                    nominalRate: FrameRate(30_000, per: 1001)))),
        codec: "h264")
    video.frames = 1_800
    video.measuredRate = 29.97
    var audio = TakeReport.Track(
        index: 1, mediaType: .audio,
        origin: SourceOrigin(identifier: "alsa:hw:CARD=x", name: "Mic", driver: "alsa"),
        granted: TakeReport.GrantedFormat(
            .audio(AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 2))),
        codec: "aac")
    audio.frames = 2_928_000
    audio.driftPPM = -31.25
    audio.largestError = TakeTime(nanoseconds: 1_250_000)
    report.tracks = [video, audio]
    return report
}

private let golden = """
    {
      "bytes" : 12345678,
      "clocks" : {
        "hostAnchor" : 1000.0005,
        "start" : 1000.000000123,
        "wallAnchor" : 1795210507.25,
        "wallAnchorText" : "2026-11-20T21:35:07.250Z"
      },
      "container" : "mp4",
      "duration" : 61.000000001,
      "markers" : [
        {
          "hostTime" : 1000.500000123,
          "movieTime" : 0.5,
          "text" : "one \\"two\\" …"
        }
      ],
      "movie" : "take.mp4",
      "pauses" : [
        {
          "end" : 1005.000000123,
          "length" : 3,
          "movieTime" : 2,
          "start" : 1002.000000123
        }
      ],
      "reasons" : [

      ],
      "schema" : "vcap.take/1",
      "state" : "finished",
      "tracks" : [
        {
          "codec" : "h264",
          "drops" : {

          },
          "filledFrames" : 0,
          "frames" : 1800,
          "gaps" : [

          ],
          "granted" : {
            "coding" : "yuyv422",
            "height" : 720,
            "rate" : "30000/1001",
            "width" : 1280
          },
          "index" : 0,
          "measuredRate" : 29.97,
          "mediaType" : "video",
          "movieTrack" : 0,
          "origin" : {
            "driver" : "uvcvideo",
            "identifier" : "v4l:by-id:a",
            "name" : "Camera"
          }
        },
        {
          "codec" : "aac",
          "driftPPM" : -31.25,
          "drops" : {

          },
          "filledFrames" : 0,
          "frames" : 2928000,
          "gaps" : [

          ],
          "granted" : {
            "channels" : 2,
            "coding" : "int16",
            "sampleRate" : 48000
          },
          "index" : 1,
          "largestError" : 0.00125,
          "mediaType" : "audio",
          "movieTrack" : 1,
          "origin" : {
            "driver" : "alsa",
            "identifier" : "alsa:hw:CARD=x",
            "name" : "Mic"
          }
        }
      ],
      "verdict" : "good"
    }

    """

struct TakeReportTests {
    @Test("a take report is written in a fixed form and reads back as it was")
    func reportRoundTrip() throws {
        var report = report()
        report.judge()
        let bytes = try TakeReportFile(path: "/tmp/x.vcap.json").encoded(report)
        #expect(String(decoding: bytes, as: UTF8.self) == golden)
        #expect(try TakeReportFile.read(bytes) == report)
    }

    @Test("a report's file is replaced whole, and leaves nothing beside it")
    func reportFile() throws {
        let folder = try TemporaryFolder()
        let file = TakeReportFile(path: folder.file("take.vcap.json"))
        var report = report()
        try file.write(report)
        report.state = .failed
        try file.write(report)
        #expect(folder.contents == ["take.vcap.json"])
        let bytes = try FileBytes.read(file.path)
        #expect(try TakeReportFile.read(bytes).state == .failed)
    }

    @Test("a report that cannot be written says so and leaves nothing")
    func reportFileRefused() {
        #expect {
            try TakeReportFile(path: "/no/such/folder/take.vcap.json").write(report())
        } throws: { error in
            "\(error)".contains("the movie is not affected") && (error as? MediaError)?.errno == 2
        }
    }

    @Test("the report lies beside the movie, under its name")
    func reportPath() {
        let cases = [
            ("/a/b.c/take.mp4", "/a/b.c/take.vcap.json"), ("take.tar.mkv", "take.tar.vcap.json"),
            ("/a.b/take", "/a.b/take.vcap.json"), (".hidden", ".hidden.vcap.json"),
        ]
        for (movie, report) in cases {
            #expect(RecordingSettings(outputPath: movie).reportPath == report)
        }
    }

    @Test("a take is good unless something is missing, and the reasons say what")
    func verdicts() {
        var good = report()
        good.judge()
        #expect(good.verdict == .good && good.reasons.isEmpty)

        let changes: [(TakeReport.Verdict, String, (inout TakeReport) -> Void)] = [
            (.degraded, "lost 3 frames (driver-gap)", { $0.tracks[0].drops["driver-gap"] = 3 }),
            (
                .degraded, "Mic had a gap, 1.5 s",
                {
                    $0.tracks[1].gaps = [
                        TakeReport.Gap(
                            movieTime: .zero, hostTime: .zero,
                            length: TakeTime(nanoseconds: 1_500_000_000),
                            cause: "device-gone")
                    ]
                }
            ),
            (.degraded, "drifts by 1200 ppm", { $0.tracks[1].driftPPM = 1_200 }),
            (
                .degraded, "12 ms out of place",
                {
                    $0.tracks[1].largestError = TakeTime(nanoseconds: 12_500_000)
                }
            ),
            (.degraded, "delivered 15.0 of 30.0 frames", { $0.tracks[0].measuredRate = 15 }),
            (
                .bad, "Mic delivered nothing",
                {
                    $0.tracks[1].frames = 480
                    $0.tracks[1].filledFrames = 480
                }
            ),
            (.bad, "ended by a failure: no.", { $0.failure = "no." }),
            (.bad, "Nothing was recorded", { $0.clocks = nil }),
        ]
        for (verdict, text, change) in changes {
            var report = report()
            change(&report)
            report.judge()
            #expect(report.verdict == verdict, "\(text)")
            #expect(report.reasons.contains { $0.contains(text) }, "\(report.reasons)")
        }
    }

    @Test("a drift measured over a few seconds is not judged")
    func shortDrift() {
        var short = report()
        short.tracks[1].frames = 9 * 48_000
        short.tracks[1].driftPPM = -1_015
        short.judge()
        #expect(short.verdict == .good, "\(short.reasons)")
        short.tracks[1].frames = 10 * 48_000
        short.judge()
        #expect(short.verdict == .degraded)
    }

    @Test("a report is on disk while the movie grows, so that a crash keeps it")
    func reportWhileRecording() async throws {
        let folder = try TemporaryFolder()
        let origin = RecorderRig.origin
        let devices: [any RigDevice] = [
            RigMicrophone("mic", at: origin - 50_000_000), RigCamera("camera", at: origin),
        ]
        let rig = try RecorderRig(devices) {
            $0.outputPath = folder.file("take.mp4")
            $0.writesReport = true
        }
        try rig.recorder.start()
        rig.run(1_000)
        let path = folder.file("take.vcap.json")
        func saved() throws -> TakeReport {
            rig.recorder.reports.settle()
            return try TakeReportFile.read(FileBytes.read(path))
        }
        #expect(try saved().state == .recording)
        #expect(try saved().pauses.isEmpty)
        rig.recorder.mark("here")
        rig.recorder.pause()
        rig.run(500)
        #expect(try saved().pauses.count == 1)
        #expect(try saved().pauses[0].end == nil)
        #expect(try saved().markers.map(\.text) == ["here"])
        rig.recorder.resume()
        rig.run(500)
        let report = await rig.stop()
        #expect(try saved() == report)
        #expect(report.state == .finished)

        // the rig's writer makes no file
        try Data().write(to: URL(fileURLWithPath: folder.file("take.mp4")))
        let again = try RecorderRig([RigCamera("camera", at: origin)]) {
            $0.outputPath = folder.file("take.mp4")
            $0.writesReport = true
        }
        #expect {
            try again.recorder.start()
        } throws: { ($0 as? MediaError)?.code == .alreadyExists }
        #expect(again.recorder.status().state == .idle)
    }
}
