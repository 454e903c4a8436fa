import Media
import Play

/// The lines below a film: where it is, and how it is played.
struct PlayFooter: Sendable {
    let deck: PlayDeck
    /// Whether more of the take is waited for.
    let isWaiting: @Sendable () -> Bool
    let controls: PlayControls
    let late: @Sendable () -> Int

    private static let stands = "q quit, ? help"

    private var player: Player { deck.player }

    /// - Parameter columns: that there are for a line.
    func lines(_ columns: Int) -> [[StatusPart]] {
        [place(columns), state]
    }

    private func place(_ columns: Int) -> [StatusPart] {
        let (item, clock) = (player.item, FilmClock(item: player.item))
        let time = player.currentTime
        let texts = [clock.text(time), clock.text(item.range.end)]
        let symbol = StatusPart(symbol)
        let width = columns - texts.reduce(symbol.width + 6) { $0 + $1.count }
        var parts = [symbol, StatusPart(texts[0])]
        if width >= 8 { parts.append(bar(time, width)) }
        return parts + [StatusPart(texts[1])]
    }

    private var symbol: String {
        switch player.rate {
        case 0: "‖"
        case 1: "▶"
        case let rate where rate < 0: "◀\(Self.factor(-rate))"
        case let rate: "▶\(Self.factor(rate))"
        }
    }

    private static func factor(_ rate: Double) -> String {
        rate == 1 ? "" : "×" + Amounts.decimal(rate, rate == rate.rounded() ? 0 : 1)
    }

    /// Cuts, chapters and markers, the part between in and out, and where it is.
    private func bar(_ time: MediaTime, _ width: Int) -> StatusPart {
        let (item, notes) = (player.item, controls.notes)
        func cell(_ time: MediaTime) -> Int {
            let offset = (time - item.range.start).approximateSeconds
            let length = max(item.duration.approximateSeconds, 0.001)
            return min(width - 1, max(0, Int(offset / length * Double(width))))
        }
        var cells: [(Character, TerminalLook.Color?)] = Array(repeating: ("─", nil), count: width)
        for cut in item.cuts + item.chapters.map(\.time) { cells[cell(cut)].0 = "┼" }
        if let start = notes.start ?? notes.end.map({ _ in item.range.start }) {
            let (first, last) = (cell(start), cell(notes.end ?? item.range.end))
            if first <= last { for index in first...last { cells[index].1 = .yellow } }
        }
        for marker in notes.markers { cells[cell(marker)] = ("▲", .green) }
        cells[cell(time)] = ("█", .green)
        var runs: [StatusPart.Run] = []
        for (character, color) in cells {
            if runs.last?.color == color, let last = runs.indices.last {
                runs[last].text.append(character)
            } else {
                runs.append(.init(text: String(character), color: color))
            }
        }
        return StatusPart(runs: runs)
    }

    private var state: [StatusPart] {
        if let typed = controls.typed { return [StatusPart("go to: \(typed)_")] }
        if let message = Console.shared.newestMessage(at: HostClock().now()) {
            return [StatusPart(message)]
        }
        let waits = isWaiting() ? [StatusPart("waiting for more of the take", .yellow)] : []
        return [StatusPart(Self.stands)] + waits + words
    }

    /// How it is played, where that is not as usual.
    private var words: [StatusPart] {
        let player = player
        var parts: [StatusPart] = []
        if player.isLooping { parts.append(StatusPart("loop")) }
        if player.item.hasAudio {
            if player.isMuted {
                parts.append(StatusPart("muted"))
            } else if player.volume < 1 {
                parts.append(StatusPart("volume \(Amounts.decimal(player.volume * 100, 0)) %"))
            }
        }
        switch player.quality {
        case .full: break
        case .half: parts.append(StatusPart("half size", .yellow))
        case .quarter: parts.append(StatusPart("quarter size", .yellow))
        }
        let dropped = deck.counts.dropped + late()
        if dropped > 0 { parts.append(StatusPart("\(dropped) dropped", .yellow)) }
        return parts
    }
}
