import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("A film's audio as a waveform")
struct WaveformTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Four seconds: the left channel sounds in the first two, the right one in the last two, half as loud.
    private func film(amplitude: Float = 0.5) async throws -> Film {
        let asset = try await AudioClip(frames: 192_000) { frame, channel in
            guard (frame < 96_000) == (channel == 0) else { return 0 }
            let wave = Sine.value(cycles: Double(frame) * 997 / 48_000)
            return amplitude * (channel == 0 ? wave : wave / 2)
        }.write(to: folder.file("tone.mp4"))
        var composition = Composition()
        try composition.insert(asset, at: .zero)
        return Film(composition: composition, videoComposition: nil, assets: [asset])
    }

    @Test("extremes and power of each channel are those of its samples")
    func parts() async throws {
        let waveform = try AudioWaveform(of: try await film(), parts: 40)
        #expect(waveform.timeRange.duration == .seconds(4))
        #expect(waveform.channels.map(\.count) == [40, 40])
        let (left, right) = (waveform.channels[0], waveform.channels[1])
        for index in 1..<19 {
            #expect((left[index].highest - 0.5).magnitude < 1e-3, "\(index)")
            #expect((left[index].lowest + 0.5).magnitude < 1e-3, "\(index)")
            #expect((left[index].meanPower - 0.5 / Float(2).squareRoot()).magnitude < 2e-3)
            #expect(right[index] == AudioWaveform.Part(), "\(index)")
            #expect(left[20 + index] == AudioWaveform.Part(), "\(index)")
            #expect((right[20 + index].highest - 0.25).magnitude < 1e-3, "\(index)")
        }
    }

    @Test("loudness and peak are the programme's")
    func loudness() async throws {
        // one channel: 3.01 dB below that of a tone in both
        let loudness = try AudioWaveform(of: try await film(), parts: 1).loudness
        let two = try #require(loudness.integrated)
        // half of the time each; at 997 Hz the weighting's gain makes up for the standard's -0.691
        let expected = 10 * log10((0.5 * 0.5 + 0.25 * 0.25) / 2 / 2)
        #expect((two - expected).magnitude < 0.2, "\(two) instead of \(expected)")
        #expect((try #require(loudness.truePeak) + 6.02).magnitude < 0.1)
    }

    @Test(
        "a part of the film is measured alone, in parts as short as a sample, with progress to its end"
    )
    func range() async throws {
        var film = try await film()
        film.range = MediaTimeRange(
            start: MediaTime(value: 144_005, timescale: 48_000),
            duration: MediaTime(value: 10, timescale: 48_000))
        var seen: [Double] = []
        let waveform = try AudioWaveform(of: film, parts: 15) { seen.append($0) }
        #expect(waveform.channels[0] == Array(repeating: AudioWaveform.Part(), count: 15))
        // two parts in three hold a sample
        #expect(waveform.channels[1].count { $0 != AudioWaveform.Part() } == 10)
        #expect(seen.last == 1)
    }

    @Test("a film without audio, no parts and a range beyond the film are refused")
    func refusals() async throws {
        let film = try await film()
        let silent = Film(composition: Composition(), videoComposition: nil)
        #expect(throws: MediaError.self) { try AudioWaveform(of: silent, parts: 10) }
        for parts in [0, 100_001] {
            #expect(throws: MediaError.self) { try AudioWaveform(of: film, parts: parts) }
        }
        for range in [
            MediaTimeRange(start: .seconds(3), duration: .seconds(2)),
            MediaTimeRange(start: .seconds(1), duration: .zero),
        ] {
            #expect(throws: MediaError.self) {
                try AudioWaveform(of: film, range: range, parts: 10)
            }
        }
        #expect(throws: MediaError.self) { try FilmStills(film).waveform(width: 100) }
    }

    @Test("the picture shows where each channel sounds, as loud as it is, and where nothing does")
    func picture() async throws {
        let film = try await film()
        let picture = WaveformPicture(size: PixelSize(width: 464, height: 264), film: film)
        #expect(picture.parts == 400)
        let waveform = try AudioWaveform(of: film, parts: picture.parts)
        let frames = try LayerFrames(picture.layer(waveform), renderSize: picture.size)
        let image = try #require(try frames.picture(at: .zero)?.pixelBuffer)
        /// Rows of a column whose colour is green: the waveform's.
        func rows(_ x: Int) -> [Int] {
            image.withPlane(0) { plane in
                (0..<image.height).filter { y in
                    let pixel = plane.row(y).advanced(by: 4 * x)
                    return Int(pixel[1]) > Int(pixel[2]) + 30
                }
            }
        }
        // two rows of 95 lines from 34 and 139 on, each with a middle at 47.5
        let (left, right) = (rows(52 + 100), rows(52 + 300))
        #expect(left.allSatisfy { (34..<129).contains($0) })
        #expect(right.allSatisfy { (139..<234).contains($0) })
        #expect((left.count - 47).magnitude <= 2, "\(left.count)")
        #expect((right.count - 24).magnitude <= 2, "\(right.count)")
        #expect(try FilmStills(film).waveform(as: .png).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
}
