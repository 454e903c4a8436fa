/// Pictures as sixels (DEC's VT330/VT340 Programmer Reference Manual, chapter 14): columns of six pixels in one colour
/// of a palette. The palette is fixed, six by seven by six levels, with ordered dithering, so that a picture that stands
/// still does not flicker.
package enum SixelEncoder {
    /// Levels of red, green and blue (count): 252 colours, and terminals have 256.
    static let levels = (red: 6, green: 7, blue: 6)

    /// The thresholds of ordered dithering, as parts of 16 (Bayer's matrix).
    private static let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// The whole of a picture, from where the cursor stands; the terminal leaves the cursor below it.
    package static func bytes(of picture: PreviewPicture) -> [UInt8] {
        // square pixels; places that are not drawn stay as they are
        var out = Array("\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)".utf8)
        out += palette
        let places = indexed(picture)
        var columns = [[UInt8]](repeating: [], count: count)
        for top in stride(from: 0, to: picture.height, by: 6) {
            var used: [Int] = []
            for y in top..<min(top + 6, picture.height) {
                let bit = UInt8(1 << (y - top))
                for x in 0..<picture.width {
                    let color = Int(places[y * picture.width + x])
                    if columns[color].isEmpty {
                        columns[color] = Array(repeating: 0, count: picture.width)
                        used.append(color)
                    }
                    columns[color][x] |= bit
                }
            }
            for (place, color) in used.enumerated() {
                // back to the left edge of the same six rows
                if place > 0 { out.append(UInt8(ascii: "$")) }
                out.append(UInt8(ascii: "#"))
                out.append(decimal: color)
                append(columns[color], &out)
                columns[color] = []
            }
            out.append(UInt8(ascii: "-"))
        }
        out += [0x1B, 0x5C]
        return out
    }

    static var count: Int { levels.red * levels.green * levels.blue }

    /// Colours are stated in percent.
    private static let palette: [UInt8] = {
        var out: [UInt8] = []
        for number in 0..<count {
            let (red, green, blue) = parts(of: number)
            let percent = [
                red * 100 / (levels.red - 1), green * 100 / (levels.green - 1),
                blue * 100 / (levels.blue - 1),
            ]
            out += Array("#\(number);2;\(percent[0]);\(percent[1]);\(percent[2])".utf8)
        }
        return out
    }()

    private static func parts(of number: Int) -> (red: Int, green: Int, blue: Int) {
        (
            number / (levels.green * levels.blue), number / levels.blue % levels.green,
            number % levels.blue
        )
    }

    private static func indexed(_ picture: PreviewPicture) -> [UInt8] {
        let width = picture.width
        return [UInt8](unsafeUninitializedCapacity: width * picture.height) { places, size in
            picture.bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<picture.height {
                    for x in 0..<width {
                        let threshold = thresholds[(y & 3) * 4 + (x & 3)]
                        let place = (y * width + x) * 3
                        let red = level(bytes[place], levels.red, threshold)
                        let green = level(bytes[place + 1], levels.green, threshold)
                        let blue = level(bytes[place + 2], levels.blue, threshold)
                        places[y * width + x] = UInt8(
                            (red * levels.green + green) * levels.blue + blue)
                    }
                }
            }
            size = width * picture.height
        }
    }

    /// The level below a value or the one above it, by how far it is and where the pixel lies.
    private static func level(_ value: UInt8, _ levels: Int, _ threshold: Int) -> Int {
        let scaled = Int(value) * (levels - 1) * 16 / 255
        return min(levels - 1, (scaled + threshold) / 16)
    }

    /// One colour's columns; four and more alike are counted.
    private static func append(_ columns: [UInt8], _ out: inout [UInt8]) {
        var end = columns.count
        while end > 0, columns[end - 1] == 0 { end -= 1 }
        var x = 0
        while x < end {
            var next = x + 1
            while next < end, columns[next] == columns[x] { next += 1 }
            let character = columns[x] + 63
            if next - x > 3 {
                out.append(UInt8(ascii: "!"))
                out.append(decimal: next - x)
                out.append(character)
            } else {
                for _ in x..<next { out.append(character) }
            }
            x = next
        }
    }
}
