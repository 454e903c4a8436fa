import Media
import TestSupport
import Testing

@testable import Play

@Suite("A picture in the cells of a terminal")
struct CellPainterTests {
    @Test("in true colour what is read back from the cells is the picture")
    func trueColor() throws {
        let picture = DrawnPicture.picture(64, 40)
        var grid = CellGrid(columns: 70, rows: 24)
        grid.draw(picture, column: 3, row: 2)
        var painter = CellPainter(.trueColor)
        var screen = CellScreen(columns: 70, rows: 24)
        screen.show(painter.bytes(for: grid))
        let pixels = try #require(screen.pixels(columns: 3..<67, rows: 2..<22))
        #expect(DrawnPicture.difference(picture, pixels) == 0)
        #expect(!screen.hasPen && !screen.isInsideSequence)
        #expect(screen[0, 0].back == nil && screen[68, 12].back == nil)
    }

    @Test("of 256 colours the nearest ones stand for the picture's")
    func palette() throws {
        let picture = DrawnPicture.picture(64, 40)
        var grid = CellGrid(columns: 64, rows: 20)
        grid.draw(picture, column: 0, row: 0)
        var painter = CellPainter(.palette)
        var screen = CellScreen(columns: 64, rows: 20)
        let bytes = painter.bytes(for: grid)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("8;2;"))
        screen.show(bytes)
        let pixels = try #require(screen.pixels(columns: 0..<64, rows: 0..<20))
        // steps of the cube are 40 apart and the lowest 95: a part is off by half of them at most
        #expect(DrawnPicture.difference(picture, pixels) < 20)
        for number in 16...255 {
            let color = TerminalPalette.color(UInt8(number))
            let found = TerminalPalette.color(TerminalPalette.nearest(to: color))
            #expect(found.distance(to: color) == 0, "\(number)")
        }
    }

    @Test("only what changed is drawn again, and noise of two codes is no change")
    func changes() throws {
        var grid = CellGrid(columns: 64, rows: 20)
        grid.draw(DrawnPicture.picture(64, 40), column: 0, row: 0)
        var painter = CellPainter(.trueColor)
        var screen = CellScreen(columns: 64, rows: 20)
        screen.show(painter.bytes(for: grid))
        #expect(painter.bytes(for: grid).isEmpty)
        var noisy = DrawnPicture.picture(64, 40)
        for place in noisy.bytes.indices {
            noisy.bytes[place] = UInt8(clamping: Int(noisy.bytes[place]) + (place % 5 - 2))
        }
        grid.draw(noisy, column: 0, row: 0)
        #expect(painter.bytes(for: grid).isEmpty)
        let moved = DrawnPicture.picture(64, 40, shift: 3)
        grid.draw(moved, column: 0, row: 0)
        let bytes = painter.bytes(for: grid)
        screen.show(bytes)
        let pixels = try #require(screen.pixels(columns: 0..<64, rows: 0..<20))
        #expect(DrawnPicture.difference(moved, pixels) <= Double(CellPainter.tolerance))
        // the control: all of it is many times as much
        painter.forget()
        #expect(painter.bytes(for: grid).count > 4 * bytes.count)
    }

    @Test("noise that drifts is drawn before a cell is more than two codes off")
    func drift() throws {
        var painter = CellPainter(.trueColor)
        var screen = CellScreen(columns: 4, rows: 2)
        for level in 100..<160 {
            let color = RGB(UInt8(level), UInt8(level), UInt8(level))
            var grid = CellGrid(columns: 4, rows: 2)
            for column in 0..<4 { grid[column, 0] = .pixels(color, color) }
            screen.show(painter.bytes(for: grid))
            let shown = try #require(screen.pixels(columns: 0..<4, rows: 0..<1))
            #expect(shown.allSatisfy { abs($0[0] - level) <= CellPainter.tolerance })
        }
    }

    @Test("text keeps to its width, and a wide character takes two cells")
    func text() {
        var grid = CellGrid(columns: 12, rows: 2)
        #expect(grid.write("Kamera", column: 1, row: 0, width: 4) == 4)
        #expect(grid.write("カメx", column: 0, row: 1) == 5)
        #expect(grid.write("カ", column: 11, row: 1) == 0)
        var painter = CellPainter(.trueColor)
        var screen = CellScreen(columns: 12, rows: 2)
        screen.show(painter.bytes(for: grid))
        #expect(screen.text(row: 0) == " Kame       ")
        #expect(
            grid[2, 1].character == "メ" && grid[3, 1] == .continued && grid[4, 1].character == "x")
    }

    @Test("a screen of another size is drawn anew")
    func resized() throws {
        var painter = CellPainter(.trueColor)
        _ = painter.bytes(for: CellGrid(columns: 10, rows: 4))
        var grid = CellGrid(columns: 8, rows: 4)
        grid.write("new", column: 0, row: 0)
        let bytes = painter.bytes(for: grid)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2J"))
    }
}
