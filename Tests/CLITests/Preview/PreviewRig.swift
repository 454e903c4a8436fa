import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// A preview on a terminal of its own, 100 columns and 24 rows, and what is seen on it.
struct PreviewRig {
    static let columns = 100
    static let rows = 24
    static let entrance = "\u{1B}[?1049h"
    static let exit = "\u{1B}[?1049l"

    let terminal: PseudoTerminal
    /// What is seen, and how many bytes of what was shown it is of.
    private let seen: Lock<(screen: CellScreen, count: Int)>

    /// - Parameter columns: of the screen that is looked at.
    init(
        _ words: [String], folder: TemporaryFolder, frozenAfter: String? = nil,
        environment: [String: String] = [:], columns: Int = PreviewRig.columns
    ) throws {
        seen = Lock((CellScreen(columns: columns, rows: Self.rows), 0))
        let own = [
            "XDG_RUNTIME_DIR": folder.path, "TERM": "xterm-256color", "COLORTERM": "truecolor",
            "NO_COLOR": "",
        ]
        terminal = try PseudoTerminal(
            words, environment: own.merging(environment) { $1 }, frozenAfter: frozenAfter)
    }

    /// What is seen now.
    var screen: CellScreen {
        seen.withLock { seen in
            let fresh = terminal.shown(behind: seen.count)
            seen.screen.show(fresh)
            seen.count += fresh.count
            return seen.screen
        }
    }

    /// Waits until something is seen.
    func waitFor(_ isSeen: (CellScreen) -> Bool) -> Bool {
        waitUntil(atMost: 60) { isSeen(screen) }
    }

    func waitForText(_ text: String) -> Bool { waitFor { $0.text.contains(text) } }

    /// Whether the terminal is as it was before.
    var isWhole: Bool {
        let screen = screen
        return !screen.isAlternate && !screen.hidesCursor && !screen.hasPen
            && !screen.isInsideSequence && !terminal.isRaw
    }

    /// Where the only picture lies: the cells of half blocks.
    func place(of size: PixelSize, lines: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let scene = PreviewScene(
            columns: Self.columns, rows: Self.rows, count: 1, lines: lines)
        let tile = scene.tiles[0]
        let picture = size.fitted(into: tile.halfBlocks)
        let place = scene.place(picture.width, (picture.height + 1) / 2, in: tile)
        return (
            place.column..<place.column + picture.width,
            place.row..<place.row + (picture.height + 1) / 2
        )
    }
}
