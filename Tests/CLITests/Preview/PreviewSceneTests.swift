import Media
import Play
import Testing

@testable import vcap

@Suite("Where a preview's pictures lie")
struct PreviewSceneTests {
    @Test(
        "tiles lie side by side without overlapping, with a row for each caption, above the lines")
    func tiles() {
        for count in 1...9 {
            for (columns, rows) in [(80, 24), (200, 50), (40, 12), (9, 4), (1, 1), (300, 10)] {
                let scene = PreviewScene(columns: columns, rows: rows, count: count, lines: 2)
                #expect(scene.tiles.count == count)
                var taken = Set<Int>()
                for tile in scene.tiles where tile.rows > 0 && tile.row + tile.rows < scene.footer {
                    #expect(tile.column + tile.columns <= columns)
                    for row in tile.row...tile.row + tile.rows {
                        for column in tile.column..<tile.column + tile.columns {
                            #expect(taken.insert(row * columns + column).inserted)
                        }
                    }
                }
                // whatever the size, nothing is drawn outside
                var grid = CellGrid(columns: columns, rows: rows)
                for tile in scene.tiles {
                    scene.draw(
                        caption: [StatusPart("camera"), StatusPart("1x1")], of: tile, on: &grid)
                }
                scene.draw([[StatusPart("a")], [StatusPart("b")]], on: &grid)
                scene.draw(page: ["one", "two"], on: &grid)
            }
        }
        let two = PreviewScene(columns: 160, rows: 30, count: 2, lines: 2)
        #expect(two.tiles.map(\.column) == [0, 80] && two.tiles.allSatisfy { $0.row == 0 })
        let four = PreviewScene(columns: 160, rows: 46, count: 4, lines: 2)
        #expect(Set(four.tiles.map(\.row)) == [0, 22])
    }

    @Test("keys of a preview are none that mean something else")
    func keys() throws {
        let keys = try KeyBindings(pauseKey: nil, stopKey: nil).withPreview
        let names = keys.preview?.keys.map(\.key.name)
        #expect(names == ["v", "x", "z", "g", "f", "e"])
        let own = try KeyBindings(pauseKey: Key(byte: UInt8(ascii: "z")), stopKey: nil).withPreview
        let zoom = own.preview?.keys.first { $0.action == .zoom }
        #expect(zoom?.key.name == "n")
        #expect(own.action(for: Key(byte: UInt8(ascii: "z"))) == .togglePause)
        #expect(keys.page().contains { $0.contains("zebra") })
    }

    @Test("messages are held in their order, bounded, and counted past it; results are all kept")
    func held() {
        var held = HeldMessages()
        for number in 0..<10_000 { held.add("message \(number)\n", isResult: false) }
        held.add("path\n", isResult: true)
        let newest = NewestMessage(text: "message", time: .seconds(1))
        #expect(newest.text(at: .seconds(8)) == "message")
        #expect(newest.text(at: .seconds(9)) == nil)
        #expect(held.entries.reduce(0) { $0 + $1.text.utf8.count } < 65 << 10)
        #expect(held.all.last?.text.contains("were not kept") ?? false)
        #expect(held.all.contains { $0.isResult && $0.text == "path\n" })
        #expect(held.all.first?.text == "message 0\n")
    }

    @Test(
        "graphics follow from the answers: kitty before sixel, sixel only where a cell's size is known"
    )
    func graphics() {
        let size = ScreenOutput.Size(columns: 80, rows: 24)
        var plain = TerminalGraphics { _ in nil }
        #expect(plain.form(size) == .cells && plain.colors == .palette)
        plain.take(.attributes([62, 4]))
        #expect(plain.form(size) == .cells && plain.isKnown)
        plain.take(.cell(width: 9, height: 18))
        #expect(plain.form(size) == .sixel && plain.cell(size) == PixelSize(9, 18))
        plain.take(.trueColor(true))
        #expect(plain.colors == .trueColor)
        var kitty = TerminalGraphics { $0 == "COLORTERM" ? "truecolor" : nil }
        kitty.take(.kitty(true))
        #expect(kitty.form(size) == .cells && kitty.colors == .trueColor)
        kitty.take(.attributes([62]))
        #expect(kitty.form(size) == .kitty)
        var other = TerminalGraphics { _ in nil }
        other.take(.kitty(false))
        other.take(.attributes([1, 2]))
        #expect(other.form(size) == .cells)
    }
}
