import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Files of one event are aligned by their audio")
struct RecordingAlignerTests {
    private let folder: TemporaryFolder
    private let scene = SoundScene(.speech, seconds: 50, seed: 5)

    init() throws { folder = try TemporaryFolder() }

    /// A file of what a device records.
    private func file(_ name: String, _ microphone: Microphone, of scene: SoundScene? = nil) throws
        -> Asset
    {
        let samples = microphone.recording(of: scene ?? self.scene)
        try WaveFile.write([samples], rate: microphone.rate, to: folder.file(name))
        return try Asset.load(folder.file(name))
    }

    private func microphone(_ start: Double, rate: Int = 48_000) -> Microphone {
        var microphone = Microphone()
        (microphone.start, microphone.rate) = (start, rate)
        return microphone
    }

    @Test("44,100 Hz are aligned with 48,000 Hz, before and after, within an audio frame")
    func rates() async throws {
        let reference = microphone(10)
        var early = microphone(4.5, rate: 44_100)
        early.drift = -60
        let late = microphone(12.25, rate: 44_100)
        let alignment = try await RecordingAligner([
            file("a.wav", reference), file("b.wav", early), file("c.wav", late),
        ]).align()
        #expect(alignment.recordings.count == 3)
        for (recording, device) in zip(alignment.recordings.dropFirst(), [early, late]) {
            let placement = try recording.placement.get()
            for time in [placement.overlap.start, placement.overlap.end] {
                let truth = device.time(time.approximateSeconds, in: reference)
                let found = placement.referenceTime(of: time)
                #expect(abs(found.approximateSeconds - truth) < 1 / 44_100.0)
                let back = placement.time(ofReference: found)
                #expect(
                    abs(
                        (back - time.scaled(to: back.timescale, rounding: .nearest))
                            .approximateSeconds) < 1e-6)
            }
            #expect(abs(placement.drift - device.drift) < 1)
            #expect(placement.confidence > 0.9 && !placement.isSameAudio)
        }
        let first = try alignment.recordings[0].placement.get()
        #expect(first.offset == .zero && first.drift == 0)
    }

    @Test("a copy of a file is found to hold the same audio; a file given twice is refused")
    func copies() async throws {
        let asset = try file("a.wav", microphone(10))
        try FileManager.default.copyItem(atPath: asset.path, toPath: folder.file("b.wav"))
        let copy = try Asset.load(folder.file("b.wav"))
        let alignment = try await RecordingAligner([asset, copy]).align()
        let placement = try alignment.recordings[1].placement.get()
        #expect(placement.isSameAudio && abs(placement.offset.approximateSeconds) < 1e-6)
        #expect(alignment.recordings[1].notes.contains { $0.contains("the same audio") })
        try FileManager.default.linkItem(atPath: asset.path, toPath: folder.file("c.wav"))
        let link = try Asset.load(folder.file("c.wav"))
        for twice in [asset, link] {
            let aligner = RecordingAligner([asset, twice])
            let error = await #expect(throws: MediaError.self) { _ = try await aligner.align() }
            #expect(error?.code == .invalidSetting)
        }
    }

    @Test("each recording that cannot be aligned says why, and the others are")
    func refusals() async throws {
        let silence = SoundScene(.speech, seconds: 1, seed: 1)
        var short = microphone(12)
        short.seconds = 2
        let alignment = try await RecordingAligner([
            file("a.wav", microphone(10)), file("silent.wav", microphone(20), of: silence),
            file("other.wav", microphone(10), of: SoundScene(.music, seconds: 50, seed: 9)),
            file("short.wav", short), file("good.wav", microphone(13)),
        ]).align()
        let words = ["silent throughout", "nothing of one is heard", "at least 3 s of audio"]
        for (recording, word) in zip(alignment.recordings[1...3], words) {
            guard case .failure(let error) = recording.placement else {
                Issue.record("\(recording.path) is aligned")
                continue
            }
            #expect(error.code == .notAligned && error.message.contains(word), "\(error)")
            #expect(error.message.contains(recording.path))
        }
        let good = try alignment.recordings[4].placement.get()
        #expect(abs(good.offset.approximateSeconds - 3) < 1e-5)
    }

    @Test("a cancelled alignment ends, and its progress had come to something")
    func cancelled() async throws {
        let aligner = RecordingAligner([
            try file("a.wav", microphone(10)), try file("b.wav", microphone(11)),
        ])
        aligner.cancel()
        let error = await #expect(throws: MediaError.self) { _ = try await aligner.align() }
        #expect(error?.code == .cancelled)
        let again = RecordingAligner(aligner.assets)
        let states = again.states(updateInterval: .nanoseconds(1))
        let watching = Task { await states.reduce(into: [ExportState]()) { $0.append($1) } }
        _ = try await again.align()
        guard case .exporting(let last) = await watching.value.last else {
            Issue.record("there was no progress")
            return
        }
        #expect(last.fraction > 0.9)
    }

    @Test("the timeline has the others' audio where it belongs, trimmed where it began before")
    func timeline() async throws {
        let alignment = try await RecordingAligner([
            file("a.wav", microphone(10)), file("early.wav", microphone(7.5)),
            file("late.wav", microphone(14)),
        ]).align()
        let made = try alignment.timeline()
        #expect(made.timeline.videos.map(\.path) == [folder.file("a.wav")])
        #expect(made.timeline.videos[0].volume == 1)
        let voices = made.timeline.voiceOvers
        #expect(voices.map(\.volume) == [0, 0])
        func seconds(_ time: MediaTime?) -> Double { time?.approximateSeconds ?? -1 }
        #expect(abs(seconds(voices[0].at)) < 1e-5 && abs(seconds(voices[0].start) - 2.5) < 1e-5)
        #expect(abs(seconds(voices[1].at) - 4) < 1e-5 && abs(seconds(voices[1].start)) < 1e-5)
        #expect(abs(seconds(voices[1].end) - 26) < 1e-4 && seconds(voices[0].end) == -1)
        #expect(made.notes.isEmpty, "\(made.notes)")
        #expect(abs(seconds(alignment.commonStart) - 4) < 1e-5)
    }

    private func clock(zero: Int64, from start: Int64) -> [ClockReading] {
        (0..<30).map { number in
            ClockReading(
                time: .milliseconds(start + number * 100), clock: "k",
                milliseconds: start + number * 100 - zero, step: 100)
        }
    }

    @Test("clocks of which one counts from beyond all time are refused, by their names")
    func hostileClock() async throws {
        let assets = [try file("a.wav", microphone(10)), try file("b.wav", microphone(12))]
        let path = assets[1].path
        let zeros: [(String, Int64)] = [
            (assets[0].path, 0), (path, -999_999_999_990_000),
        ]
        let readings = Dictionary(
            uniqueKeysWithValues: zeros.map { ($0.0, clock(zero: $0.1, from: 1000)) })
        let alignment = try await RecordingAligner(
            assets, by: .slate, clocks: { asset, _ in readings[asset.path] ?? [] }
        ).align()
        guard case .failure(let error) = alignment.recordings[1].placement else {
            Issue.record("what lies a million years off is placed")
            return
        }
        #expect(error.message.contains("clock k"), "\(error.message)")
    }

    @Test("a recording whose frames cannot be read costs nothing of what was heard")
    func unreadableFrames() async throws {
        let assets = [
            try file("a.wav", microphone(10)), try file("b.wav", microphone(12)),
            try file("c.wav", microphone(10), of: SoundScene(.speech, seconds: 50, seed: 99)),
        ]
        let broken = MediaError(code: .damagedFile, subject: "c.wav", message: "It is damaged.")
        for unreadable in [[assets[0].path], [assets[2].path]] {
            let alignment = try await RecordingAligner(
                assets, by: .automatic,
                clocks: { asset, _ throws(MediaError) in
                    if unreadable.contains(asset.path) { throw broken }
                    return []
                }
            ).align()
            #expect((try? alignment.recordings[1].placement.get()) != nil)
            #expect((try? alignment.recordings[2].placement.get()) == nil)
        }
    }
}
