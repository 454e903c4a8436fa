import Foundation
import TestSupport

/// A movie's audio, decoded to one channel at 48 kHz.
struct Sound {
    static let rate = 48_000.0
    let samples: [Float]

    init(of movie: Movie, track: Int = 0) throws {
        samples = try movie.oracle.sound(audioTrack: track)
    }

    var seconds: Double { Double(samples.count) / Self.rate }

    /// Where beeps begin (s): the first loud sample after a tenth of a second of quiet.
    func beeps(threshold: Float = 0.1) -> [Double] {
        let quiet = Int(Self.rate / 10)
        var found: [Double] = []
        var lastLoud = 0
        for (index, sample) in samples.enumerated() where abs(sample) > threshold {
            if index - lastLoud > quiet { found.append(Double(index) / Self.rate) }
            lastLoud = index
        }
        return found
    }

    /// Spans of at least a hundredth of a second in which nothing is louder than the threshold (s).
    func silences(threshold: Float = 0.01) -> [Range<Double>] {
        var found: [Range<Double>] = []
        var begin = 0
        for index in 0...samples.count
        where index == samples.count || abs(samples[index]) > threshold {
            if index - begin > Int(Self.rate / 100) {
                found.append(Double(begin) / Self.rate..<Double(index) / Self.rate)
            }
            begin = index + 1
        }
        return found
    }

    /// 440 Hz without a break.
    static func tone(seconds: Int, to url: URL) throws {
        try make("0.5*sin(2*PI*440*t)", seconds: seconds, to: url)
    }

    /// 40 ms of 1 kHz at every whole second.
    static func beeps(seconds: Int, to url: URL) throws {
        try make("0.5*cos(2*PI*1000*t)*lt(mod(t\\,1)\\,0.04)", seconds: seconds, to: url)
    }

    private static func make(_ formula: String, seconds: Int, to url: URL) throws {
        try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi",
                "-i", "aevalsrc=\(formula)|\(formula):s=48000:d=\(seconds)", url.path,
            ])
    }
}
