public import Media

/// Which sightings of slates are one showing. A pure value: times come with the frames, of all cameras on one clock.
///
/// A text that is seen is a new showing unless it was seen, by any camera, no longer than `gap` ago. Time in which no frame
/// was looked at does not count: what is in view before and after it was there meanwhile.
public struct SlateDesk: Sendable {
    /// How long a slate may be out of sight and is still the same showing.
    public let gap: MediaTime
    /// When each was seen last, by what it is known by.
    private var lastSeen: [String: MediaTime] = [:]
    /// When a frame was looked at last, and for how long none was in all.
    private var lastLook: MediaTime?
    private var blind = MediaTime.zero
    private var showings = 0
    /// Texts that are remembered (count).
    var rememberedCount: Int { lastSeen.count }

    /// Showings that are followed (count): a screen that shows new codes all the time must not fill reports.
    static let mostShowings = 1000

    /// What a frame shows that was not there before.
    public enum Showing: Sendable, Hashable {
        case slate(Slate)
        /// It begins like a slate, and is refused for this reason.
        case refused(String)
        /// No more are followed.
        case tooMany
    }

    /// - Parameter rate: how often each camera's frames are looked at (frames per second).
    public init(rate: FrameRate) {
        gap = max(.seconds(2), rate.frameDuration * 3)
    }

    /// A camera's frame was looked at.
    /// - Parameters:
    ///   - codes: what it shows.
    ///   - time: when it begins (host clock).
    /// - Returns: what begins to be shown with it, in the frame's order.
    public mutating func see(_ codes: [MachineReadableCode], at time: MediaTime) -> [Showing] {
        look(at: time)
        // times that pass only while frames are looked at
        let time = time - blind
        var showings: [Showing] = []
        for code in codes where code.type == .qr {
            guard let text = code.stringValue, let reading = Self.reading(text, code.bytes) else {
                continue
            }
            let key = Self.key(text, reading)
            // frames of two cameras may come in another order than they began in
            let isNew = lastSeen[key].map { time - $0 > gap } ?? true
            lastSeen[key] = max(lastSeen[key] ?? time, time)
            guard isNew, let showing = begin(reading) else { continue }
            showings.append(showing)
        }
        forget(before: time)
        return showings
    }

    /// Where no camera's frame was looked at for longer than a slate may be out of sight, only as much as that has passed.
    private mutating func look(at time: MediaTime) {
        if let last = lastLook, time - last > gap { blind = blind + (time - last - gap) }
        lastLook = max(lastLook ?? time, time)
    }

    private mutating func begin(_ reading: Slate.Reading) -> Showing? {
        showings += 1
        if showings > Self.mostShowings {
            return showings == Self.mostShowings + 1 ? .tooMany : nil
        }
        return switch reading {
        case .slate(let slate): .slate(slate)
        case .refused(let reason): .refused(reason)
        }
    }

    /// What other codings than UTF-8 mean is guessed by what reads codes.
    private static func reading(_ text: String, _ bytes: [UInt8]) -> Slate.Reading? {
        guard let reading = Slate.reading(text) else { return nil }
        let isSure = text.utf8.allSatisfy { $0 < 0x80 } || text.utf8.elementsEqual(bytes)
        return isSure ? reading : .refused("its text is not in UTF-8")
    }

    /// A clock runs and is one showing all the time.
    private static func key(_ text: String, _ reading: Slate.Reading) -> String {
        if case .slate(let slate) = reading, let clock = slate.clock {
            return "clock \(clock.name)"
        }
        return text
    }

    /// What was not seen for so long would be a new showing anyway.
    private mutating func forget(before time: MediaTime) {
        guard lastSeen.count > 64 else { return }
        lastSeen = lastSeen.filter { time - $0.value <= gap }
    }
}
