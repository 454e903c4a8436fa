import Media

/// One microphone's level as a bar that rises at once and falls slowly, with a mark where its peak was held and
/// one for a clip. A pure value: levels and times go in, a part of the status line comes out.
struct LevelMeter: Sendable, Equatable {
    /// Where the bar begins (dBFS).
    static let floor = -48.0
    /// Where the levels are high and very high (dBFS).
    static let high = -12.0
    static let hot = -3.0
    /// From here on a sample counts as clipped (dBFS): 16-bit full scale is 0.0003 dB below 0.
    static let clip = -0.01
    /// How fast the bar falls (dB/s), as a programme meter's (IEC 60268-18: 20 dB in 1.7 s).
    private static let fall = 11.8
    private static let holdTime = MediaTime.milliseconds(1500)
    private static let clipTime = MediaTime.seconds(3)

    /// What the bar shows (dBFS; `floor` at least).
    private(set) var level = LevelMeter.floor
    /// The highest level of the last seconds (dBFS).
    private(set) var peak = LevelMeter.floor
    private var peakSince = MediaTime.zero
    private var lastTime: MediaTime?
    private var clippedAt: MediaTime?
    /// Moments at which the microphone was too loud (count).
    private(set) var clips = 0

    /// Takes the highest level of the last moments, at least those since the last call.
    /// - Parameters:
    ///   - dBFS: 0 is full scale; `nil` when nothing was heard of the microphone.
    ///   - now: host time.
    mutating func take(_ dBFS: Double?, at now: MediaTime) {
        let passed = lastTime.map { (now - $0).approximateSeconds } ?? 0
        lastTime = now
        let fallen = level - Self.fall * max(0, passed)
        let heard = dBFS.map { $0.isNaN ? Self.floor : $0 } ?? Self.floor
        level = max(Self.floor, min(0, max(heard, fallen)))
        if heard >= peak || now - peakSince >= Self.holdTime {
            (peak, peakSince) = (level, now)
        }
        if heard >= Self.clip {
            clips += 1
            clippedAt = now
        }
        if let clippedAt, now - clippedAt >= Self.clipTime { self.clippedAt = nil }
    }

    /// Whether it was too loud within the last three seconds.
    var isClipped: Bool { clippedAt != nil }

    /// The bar, `cells` columns wide and one for the clip mark: green, yellow from -12 dB, red from -3 dB;
    /// the peak's cell is `│`. Without colours the places say the same.
    func part(cells: Int = 12) -> StatusPart {
        let filled = Self.cell(level, of: cells)
        let held = Self.cell(peak, of: cells)
        var runs: [StatusPart.Run] = []
        for index in 0..<max(0, cells) {
            let isHeld = held > 0 && index == held - 1 && held > filled
            let text = index < filled ? "█" : isHeld ? "│" : "·"
            let color = index < filled || isHeld ? Self.color(ofCell: index, of: cells) : nil
            if runs.last?.color == color, let last = runs.indices.last {
                runs[last].text += text
            } else {
                runs.append(StatusPart.Run(text: text, color: color))
            }
        }
        runs.append(StatusPart.Run(text: isClipped ? "!" : " ", color: isClipped ? .red : nil))
        return StatusPart(runs: runs)
    }

    /// How many cells a level fills; any audio fills one.
    private static func cell(_ level: Double, of cells: Int) -> Int {
        guard level > floor else { return 0 }
        let share = (level - floor) / -floor
        return max(1, min(cells, Int((share * Double(cells)).rounded(.up))))
    }

    private static func color(ofCell index: Int, of cells: Int) -> TerminalLook.Color {
        let end = floor * (1 - Double(index + 1) / Double(cells))
        return end > hot ? .red : end > high ? .yellow : .green
    }
}

/// The meters of all microphones, in the order of their tracks.
struct LevelMeters: Sendable, Equatable {
    private(set) var meters: [LevelMeter] = []

    /// One entry a microphone (dBFS; `nil` when it said nothing).
    mutating func take(_ levels: [Double?], at now: MediaTime) {
        while meters.count < levels.count { meters.append(LevelMeter()) }
        for (index, level) in levels.enumerated() { meters[index].take(level, at: now) }
    }

    var parts: [StatusPart] { meters.map { $0.part() } }
}
