internal import Media

/// How long a film takes of which some frames are copied and others encoded: each kind at its own pace, and the audio of
/// both at a third. A title at the beginning of a lecture would else promise an hour, and one at its end nothing.
struct ExportPace: Sendable {
    private struct Kind: Sendable {
        var left: Int64
        var pace: Pace
    }

    private let smart: SmartPlan
    /// How many frames are copied while one is encoded, about, as long as one kind has not been seen.
    private let usualRatio: Double
    private var copied: Kind
    private var encoded: Kind
    private var audio = Pace(memory: 200)

    /// - Parameters:
    ///   - size: of the frames (pixels).
    ///   - first: the first frame that is made; those before it are there already.
    init(_ smart: SmartPlan, size: PixelSize, from first: Int64) {
        self.smart = smart
        let share = Double(size.width * size.height) / (1920 * 1080)
        usualRatio = max(8, 50 * share.squareRoot())
        copied = Kind(left: 0, pace: Pace(memory: 200))
        encoded = Kind(left: 0, pace: Pace(memory: 30))
        for run in smart.runs {
            let left = max(0, run.frames.upperBound - max(first, run.frames.lowerBound))
            if run.isCopied { copied.left += left } else { encoded.left += left }
        }
    }

    /// Notes that a frame has been made.
    /// - Parameters:
    ///   - audio: how long the audio before it took.
    ///   - picture: how long the frame itself took.
    mutating func made(_ frame: Int64, audio: MediaTime, picture: MediaTime) {
        self.audio.add(audio.approximateSeconds)
        let run = smart.run(of: frame)
        // the first of a run opens a file or an encoder
        let isFirst = run?.frames.lowerBound == frame
        func count(_ kind: inout Kind) {
            kind.left -= 1
            if !isFirst { kind.pace.add(picture.approximateSeconds) }
        }
        if run?.isCopied ?? false { count(&copied) } else { count(&encoded) }
    }

    /// Nil while nobody can say.
    var timeLeft: MediaTime? {
        guard
            let copying = copied.pace.each ?? encoded.pace.each.map({ $0 / usualRatio }),
            let encoding = encoded.pace.each ?? copied.pace.each.map({ $0 * usualRatio })
        else { return nil }
        let mixing = audio.each ?? 0
        let seconds =
            Double(copied.left) * (copying + mixing) + Double(encoded.left) * (encoding + mixing)
        return .milliseconds(Int64(seconds * 1000))
    }
}

/// How long one of many takes, of late. One that has to wait for something else is no measure of the others.
private struct Pace: Sendable {
    /// So many count before anything is said.
    private static let fewest = 24
    /// One counts as at most so many times the others.
    private static let mostTimes = 8.0

    /// Of how many it is the mean (count).
    let memory: Double
    private var count = 0
    private var first: [Double] = []
    private var mean = 0.0

    init(memory: Double) { self.memory = memory }

    /// Seconds; nil: too few have been seen.
    var each: Double? { count >= Self.fewest ? mean : nil }

    mutating func add(_ seconds: Double) {
        count += 1
        if count < Self.fewest { return first.append(seconds) }
        if count == Self.fewest {
            // the middle one of the first
            first = (first + [seconds]).sorted()
            mean = max(first[Self.fewest / 2], 1e-7)
            first = []
            return
        }
        mean += (min(seconds, mean * Self.mostTimes) - mean) / min(Double(count), memory)
    }
}
