import Media
import Play

/// Times of a film as people read them: hours, minutes, seconds and the frame of the second.
struct FilmClock: Sendable {
    let item: PlayerItem

    /// `00:01:30:12`; without frames `00:01:30.480`.
    func text(_ time: MediaTime) -> String {
        guard item.hasFrames else { return Amounts.clock(time, fractionDigits: 3) }
        let second = MediaTime.seconds(time.ticks(per: 1, rounding: .down))
        let frame = (time - second).ticks(per: item.frameDuration)
        return Amounts.clock(time) + ":" + (frame < 10 ? "0" : "") + "\(frame)"
    }

    /// When the frame begins whose time code these are: of those that begin in a second, counted from 0.
    func time(second: MediaTime, frame: Int64) -> MediaTime? {
        guard item.hasFrames, frame < 1000 else { return nil }
        var first = item.frame(at: second)
        if item.time(ofFrame: first) < second { first += 1 }
        let time = item.time(ofFrame: first + frame)
        return time < second + .seconds(1) ? time : nil
    }
}

extension MediaTime {
    /// How many whole intervals fit into it.
    fileprivate func ticks(per interval: MediaTime) -> Int64 {
        var (low, high): (Int64, Int64) = (0, 1000)
        while low < high {
            let middle = (low + high + 1) / 2
            if interval * middle <= self { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
