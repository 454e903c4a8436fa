/// Audio in which every missing frame shows.
enum Tone {
    private static let period = 3000

    /// Interleaved 16-bit stereo at 48 kHz: a triangle of 3,000 frames in steps of 20.
    static func ramp(seconds: Int) -> [Int16] {
        let once = (0..<period).flatMap { frame -> [Int16] in [value(frame), value(frame)] }
        return (0..<seconds * 48_000 / period).flatMap { _ in once }
    }

    private static func value(_ frame: Int) -> Int16 {
        let phase = frame % period
        return Int16(((phase < period / 2 ? phase : period - phase) - period / 4) * 20)
    }

    /// How often the audio steps by more than the triangle does.
    static func breaks(in values: [Int16]) -> Int {
        zip(values, values.dropFirst()).count { abs(Int($1) - Int($0)) > 25 }
    }

    /// Where in its period the triangle is at the first of these values; `nil` when it is not there.
    static func phase(ofFirst values: some Collection<Int16>) -> Int? {
        let run = Array(values.prefix(100))
        guard run.count == 100 else { return nil }
        return (0..<period).first { phase in
            run.indices.allSatisfy { value(phase + $0) == run[$0] }
        }
    }

    /// The shortest way from one phase to another (frames; negative backwards).
    static func distance(from start: Int, to end: Int) -> Int {
        let ahead = ((end - start) % period + period) % period
        return ahead > period / 2 ? ahead - period : ahead
    }
}
