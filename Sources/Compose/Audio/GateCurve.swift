internal import Media

/// A gate's times in frames, and what follows from the levels around a frame.
struct GateCurve {
    /// Length of what a level is of (ms).
    static let windowMilliseconds = 10
    /// How long before a sound the gate is all the way open (ms).
    static let leadMilliseconds = 20
    /// For how long a sound below the threshold and within the hysteresis keeps it open (ms).
    static let bridgeMilliseconds = 2000

    /// Frames of a window.
    let window: Int
    /// Mean squares of the threshold and of what keeps the gate open.
    private let opening: Double
    private let closing: Double
    private let lead: Int64
    private let hold: Int64
    /// Windows.
    private let bridge: Int
    /// Gains by how far before the sound, and how far behind it, a frame lies; the last one is that of silence.
    private let rise: [Float]
    private let fall: [Float]

    init(_ gate: NoiseGate, sampleRate: Int) {
        func frames(_ time: MediaTime) -> Int64 {
            time.ticks(per: Int32(sampleRate), rounding: .nearest)
        }
        func square(_ level: Double) -> Double {
            let amplitude = Decibel.amplitude(level)
            return amplitude * amplitude
        }
        window = max(sampleRate * Self.windowMilliseconds / 1000, 1)
        opening = square(gate.threshold)
        closing = square(gate.threshold - gate.hysteresis)
        lead = Int64(sampleRate * Self.leadMilliseconds / 1000)
        hold = frames(gate.hold)
        bridge = Self.bridgeMilliseconds / Self.windowMilliseconds
        rise = Self.way(down: gate.range, frames: Int(frames(gate.attack)))
        fall = Self.way(down: gate.range, frames: Int(frames(gate.release)))
    }

    /// A raised cosine in decibels, from 1 down.
    private static func way(down range: Double, frames: Int) -> [Float] {
        (0...max(frames, 1)).map { frame in
            let part = Double(frame) / Double(max(frames, 1))
            return Float(
                Decibel.amplitude(-range * (0.5 - 0.5 * Trigonometry.cosine(.pi * part))))
        }
    }

    /// The windows whose levels decide about frames.
    func windows(for range: Range<Int64>) -> Range<Int> {
        let before = hold + Int64(fall.count) + Int64(bridge * window)
        let behind = lead + Int64(rise.count)
        let first = (range.lowerBound - before).floored(by: Int64(window)) - 1
        let last = (range.upperBound + behind).floored(by: Int64(window)) + 1
        return Int(max(first, 0))..<Int(max(last, 0) + 1)
    }

    /// The gain of each frame of a range.
    /// - Parameters:
    ///   - levels: mean squares of `windows(for: range)`.
    ///   - first: the first of these windows.
    func gains(_ range: Range<Int64>, _ levels: ArraySlice<Double>, from first: Int) -> [Float] {
        let runs = openRuns(levels, from: first)
        var gains = [Float](repeating: fall[fall.count - 1], count: range.count)
        for run in runs {
            let (from, to) = (run.lowerBound - lead, run.upperBound + hold)
            let reach = from - Int64(rise.count - 1)..<to + Int64(fall.count)
            for frame in reach.clamped(to: range) {
                let gain =
                    frame < from
                    ? rise[Int(from - frame)]
                    : frame >= to ? fall[Int(frame - to)] : 1
                let index = Int(frame - range.lowerBound)
                gains[index] = max(gains[index], gain)
            }
        }
        return gains
    }

    /// Where there is a sound (frames), in order.
    private func openRuns(_ levels: ArraySlice<Double>, from first: Int) -> [Range<Int64>] {
        var runs: [Range<Int64>] = []
        var sinceLoud: Int?
        for (offset, level) in levels.enumerated() {
            if level >= opening {
                sinceLoud = 0
            } else if let since = sinceLoud, level >= closing, since < bridge {
                sinceLoud = since + 1
            } else {
                sinceLoud = nil
            }
            guard sinceLoud != nil else { continue }
            let start = Int64((first + offset) * window)
            if let last = runs.last, last.upperBound == start {
                runs[runs.count - 1] = last.lowerBound..<start + Int64(window)
            } else {
                runs.append(start..<start + Int64(window))
            }
        }
        return runs
    }
}
