import Compose
import Media
import Play

/// Letters of a window's text: all in cells of one size, each drawn once. Belongs to the display's thread.
struct GlyphSheet {
    /// A letter's cell (pixels).
    let cell: PixelSize
    private let font: TitleFont
    /// How much of each pixel of a cell is covered (0…255); empty where no font has it.
    private var masks: [Unicode.Scalar: [UInt8]] = [:]

    /// - Parameter scale: of the display (per cent of the usual density).
    init(scale: Int) {
        let height = max(10, 20 * scale / 100)
        // letters of fixed-width fonts are three fifths as wide as their size
        let size = (Double(height) * 0.75).rounded(.down)
        cell = PixelSize(max(6, Int((size * 0.602).rounded(.up))), height)
        font = TitleFont(family: "DejaVu Sans Mono, Monospace", size: size)
    }

    /// Draws a letter over what is there.
    mutating func draw(
        _ character: Unicode.Scalar, _ color: RGB, x: Int, y: Int, on picture: inout PreviewPicture
    ) {
        let mask = mask(of: character)
        guard !mask.isEmpty else { return }
        for row in 0..<cell.height where (0..<picture.height).contains(y + row) {
            for column in 0..<cell.width where (0..<picture.width).contains(x + column) {
                let part = Int(mask[row * cell.width + column])
                guard part > 0 else { continue }
                let place = ((y + row) * picture.width + x + column) * 3
                for (offset, code) in [color.red, color.green, color.blue].enumerated() {
                    let old = Int(picture.bytes[place + offset])
                    picture.bytes[place + offset] = UInt8(
                        old + (Int(code) - old) * part / 255)
                }
            }
        }
    }

    private mutating func mask(of character: Unicode.Scalar) -> [UInt8] {
        if let known = masks[character] { return known }
        // what no font has, and a window without fonts, has no letters, and a picture all the same
        let made = (try? drawn(character)) ?? []
        masks[character] = made
        return made
    }

    private func drawn(_ character: Unicode.Scalar) throws(MediaError) -> [UInt8] {
        let text = TextContents(
            String(character), font: font, color: .white, alignment: .left,
            verticalAlignment: .center)
        let frame = Rectangle(
            x: 0, y: 0, width: Double(cell.width * 2), height: Double(cell.height))
        let pixels = try DrawnPicture.drawn(
            Layer(name: "text", contents: .text(text), frame: frame),
            PixelSize(cell.width * 2, cell.height))
        return pixels.withPlane(0) { plane in
            (0..<cell.height).flatMap { row in
                (0..<cell.width).map { plane.row(row)[$0 * 4 + 3] }
            }
        }
    }
}
