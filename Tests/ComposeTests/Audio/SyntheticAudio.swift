import Media

@testable import Compose

/// Audio that is a function of the frame: a source without a file.
final class SyntheticAudio: AudioSource {
    let channels: Int
    private let length: Int64
    private let value: (Int64, Int) -> Float
    /// What was asked for, in order.
    private(set) var requests: [Range<Int64>] = []

    init(channels: Int = 2, length: Int64 = .max, value: @escaping (Int64, Int) -> Float) {
        self.channels = channels
        self.length = length
        self.value = value
    }

    func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        requests.append(frame..<frame + Int64(count))
        var samples: [Float] = []
        samples.reserveCapacity(count * channels)
        for index in frame..<frame + Int64(count) {
            for channel in 0..<channels {
                let sounds = (0..<length).contains(index)
                samples.append(sounds ? value(index, channel) : 0)
            }
        }
        return samples.withUnsafeBytes { BlockBuffer($0) }
    }

    /// A tone.
    static func sine(
        _ hertz: Double, amplitude: Float = 0.5, channels: Int = 2, rate: Int = 48_000
    ) -> SyntheticAudio {
        SyntheticAudio(channels: channels) { frame, _ in
            amplitude * Float(Trigonometry.sine(2 * .pi * hertz * Double(frame) / Double(rate)))
        }
    }

    /// Noise that is the same at every reading: each frame's own hash.
    static func noise(
        seed: UInt64, amplitude: Float = 0.25, channels: Int = 2, length: Int64 = .max
    ) -> SyntheticAudio {
        SyntheticAudio(channels: channels, length: length) { frame, channel in
            var mixed = seed &+ UInt64(bitPattern: frame) &* 0x9E37_79B9_7F4A_7C15
            mixed &+= UInt64(channel) &* 0xD1B5_4A32_D192_ED03
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return amplitude * (Float(Int32(truncatingIfNeeded: mixed >> 32)) / 2_147_483_648)
        }
    }

    /// A constant.
    static func level(_ values: [Float]) -> SyntheticAudio {
        SyntheticAudio(channels: values.count) { _, channel in values[channel] }
    }
}

/// A film of audio only, made of synthetic sources.
struct AudioFilm {
    var composition = Composition()
    var mix = AudioMix()
    /// By the path of the media source.
    var sounds: [String: SyntheticAudio] = [:]

    /// Adds a track of segments that follow one another.
    @discardableResult
    mutating func track(_ segments: [(name: String?, from: MediaTime, length: MediaTime)]) -> Int {
        var target = MediaTime.zero
        return track(
            mapped: segments.map { segment in
                defer { target = target + segment.length }
                return (
                    segment.name,
                    MediaTimeMapping(
                        source: MediaTimeRange(start: segment.from, duration: segment.length),
                        target: MediaTimeRange(start: target, duration: segment.length))
                )
            })
    }

    @discardableResult
    mutating func track(mapped segments: [(name: String?, mapping: MediaTimeMapping)]) -> Int {
        let id = composition.addTrack(.audio)
        let index = composition.tracks.count - 1
        for (name, mapping) in segments {
            let start = mapping.target.start.timelineTicks
            let ticks = mapping.target.end.timelineTicks - start
            guard let name else {
                composition.tracks[index].segments.append(
                    TrackSegment(emptyFrom: start, ticks: ticks))
                continue
            }
            composition.tracks[index].segments.append(
                TrackSegment(
                    MediaSource(path: name, trackID: 1), mapping.source, from: start, ticks: ticks))
        }
        return id
    }

    func renderer(sampleRate: Int = 48_000, channels: Int = 2) throws -> MixRenderer {
        let sounds = sounds
        return try MixRenderer(
            composition: composition, mix: mix, sampleRate: sampleRate, channels: channels
        ) { source, _ throws(MediaError) in
            guard let audio = sounds[source.path] else {
                throw MediaError(
                    code: .noSuchFile, subject: source.path,
                    message: "There is no sound named \(source.path).")
            }
            return audio
        }
    }
}

extension MixRenderer {
    /// The whole film's interleaved samples.
    func all() throws -> [Float] { try floats(from: 0, count: Int(frameCount)) }

    func floats(from frame: Int64, count: Int) throws -> [Float] {
        try read(from: frame, count: count).floats
    }
}

extension BlockBuffer {
    var floats: [Float] { withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
}

extension [Float] {
    /// One channel of interleaved frames.
    func channel(_ index: Int, of channels: Int = 2) -> [Float] {
        stride(from: index, to: count, by: channels).map { self[$0] }
    }

    /// The largest difference of two neighbours.
    var largestStep: Float { zip(self, dropFirst()).reduce(0) { Swift.max($0, abs($1.0 - $1.1)) } }

    func largestDifference(from other: [Float]) -> Float {
        guard count == other.count else { return .infinity }
        return zip(self, other).reduce(0) { Swift.max($0, abs($1.0 - $1.1)) }
    }

    var rms: Double {
        (reduce(0.0) { $0 + Double($1) * Double($1) } / Double(Swift.max(count, 1))).squareRoot()
    }
}
