import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

@Suite("The audio of a film through a reader")
struct AudioMixOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func seconds(_ value: Int64, per timescale: Int32) -> MediaTime {
        MediaTime(value: value, timescale: timescale)
    }

    /// Everything an output gives, one side of it.
    private func read(
        _ output: AudioMixOutput, range: MediaTimeRange? = nil, channel: Int = 0
    ) throws -> [Float] {
        let reader = AssetReader()
        reader.timeRange = range
        try reader.add(output)
        try reader.start()
        var samples: [SampleBuffer] = []
        while let sample = try output.next() { samples.append(sample) }
        var place = samples.first?.presentationTime ?? .zero
        for sample in samples {
            #expect(sample.presentationTime == place)
            place = sample.presentationTime + (sample.duration ?? .zero)
        }
        return FlashBeep.channel(channel, of: samples)
    }

    @Test("beeps of a file joined 21 times are on their frames, and a range gives the same samples")
    func joins() async throws {
        let asset = try await AudioClip.beeps(frames: 240_000).write(to: folder.file("beeps.mp4"))
        let track = try #require(asset.tracks.first)
        var composition = Composition()
        let id = composition.addTrack(.audio)
        var wanted: [Int] = []
        for clip in 0..<21 {
            // cut at frames of 29.97 a second; the beep of second 2 or 3 in each
            let from = seconds(1001 * Int64(45 + clip), per: 30_000)
            let at = composition.duration
            try composition.insert(
                MediaTimeRange(start: from, duration: seconds(1001 * 50, per: 30_000)),
                of: asset, track: track, at: at, into: id)
            for second in 2...4 {
                let into = Double(second) - from.approximateSeconds
                guard into > 0, into < 1.6 else { continue }
                wanted.append(Int(((at.approximateSeconds + into) * 48_000).rounded()))
            }
        }
        let film = Film(composition: composition, videoComposition: nil, assets: [asset])
        let sound = try read(AudioMixOutput(film: film))
        #expect(sound.count == Int(composition.duration.ticks(per: 48_000, rounding: .nearest)))
        let found = FlashBeep.beeps(in: sound, sampleRate: 48_000)
        #expect(wanted.count >= 30)
        for beep in wanted {
            let nearest = found.min { abs($0 - beep) < abs($1 - beep) }
            #expect(abs((nearest ?? .max) - beep) <= 1, "\(beep)")
        }
        let part = MediaTimeRange(start: seconds(10, per: 3), duration: seconds(20, per: 3))
        #expect(
            try read(AudioMixOutput(film: film), range: part) == Array(sound[160_000..<480_000]))
    }

    @Test("an untouched file comes out bit for bit but for the fades at its ends")
    func untouched() async throws {
        let asset = try await AudioClip { frame, channel in
            // values of 16 bits
            Float((frame &* 7919 &+ channel &* 104_729) % 60_001 - 30_000) / 32_768
        }.write(to: folder.file("noise.mp4"))
        var composition = Composition()
        try composition.insert(asset, at: .zero)
        let film = Film(composition: composition, videoComposition: nil, assets: [asset])
        let audio = try read(AudioMixOutput(film: film), channel: 1)
        #expect(audio.count == 96_000)
        let differing = (144..<95_856).count { frame in
            audio[frame] != Float((frame &* 7919 &+ 104_729) % 60_001 - 30_000) / 32_768
        }
        #expect(differing == 0)
    }

    @Test("a film whose file is gone says so at the start")
    func missing() async throws {
        let asset = try await AudioClip.beeps(frames: 48_000).write(to: folder.file("a.mp4"))
        var composition = Composition()
        try composition.insert(asset, at: .zero)
        try FileManager.default.removeItem(atPath: asset.path)
        let film = Film(composition: composition, videoComposition: nil, assets: [asset])
        let error = #expect(throws: MediaError.self) { try read(AudioMixOutput(film: film)) }
        #expect(error?.subject.contains("a.mp4") == true)
    }

    @Test("the guide's example is this code, and mixes a voice over music")
    func guide() async throws {
        let voiceFile = try await AudioClip(frames: 144_000) { frame, _ in
            (48_000..<96_000).contains(frame) ? 0.2 * Sine.value(cycles: Double(frame) / 100) : 0
        }.write(to: folder.file("talk.mp4"))
        let musicFile = try await AudioClip(frames: 144_000) { frame, _ in
            0.3 * Sine.value(cycles: Double(frame) / 48)
        }.write(to: folder.file("song.mp4"))
        let levels = try mixed(voice: voiceFile, music: musicFile)
        #expect(abs(try #require(levels.loudness).deviation ?? 9) < 0.1)
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/guide/sound.md")
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let example = own.components(separatedBy: "// guide\n")[1]
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("        ") ? String($0.dropFirst(8)) : String($0) }
            .joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try String(contentsOf: page, encoding: .utf8).contains(example))
    }

    private func mixed(voice: Asset, music: Asset) throws -> MixReport {
        // guide
        var composition = Composition()
        try composition.insert(voice, at: .zero)
        let talk = composition.tracks[0].id
        let song = composition.addTrack(.audio)
        try composition.insert(
            MediaTimeRange(start: .zero, duration: composition.duration), of: music,
            track: music.tracks[0], at: .zero, into: song)

        var mix = AudioMix()
        // the music at half its level, coming in over a second
        let fadeIn = MediaTimeRange(start: .zero, duration: .seconds(1))
        mix.inputs = [
            AudioMixInput(
                trackID: song, volume: 0.5,
                volumeRamps: [VolumeRamp(timeRange: fadeIn, from: 0, to: 1)])
        ]
        // 12 dB lower while somebody speaks, and the whole as loud as streaming services play
        mix.ducking = [DuckingRule(trackIDs: [song], under: [talk])]
        mix.loudness = LoudnessTarget(integrated: -16, truePeak: -1)

        let film = Film(
            composition: composition, videoComposition: nil, audioMix: mix, assets: [voice, music])
        let output = AudioMixOutput(film: film)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var frames = 0
        while let sample = try output.next() {
            frames += (sample.block?.count ?? 0) / output.format.bytesPerFrame
        }
        print("\(frames) frames, \(output.report.limitedFrames) of them limited")
        // guide
        return output.report
    }
}
