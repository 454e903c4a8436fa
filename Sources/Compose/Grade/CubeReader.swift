internal import Media

/// Reads the text of a `.cube` file.
struct CubeReader {
    private let bytes: [UInt8]
    private let name: String
    /// Of the line that is read, from 1.
    private var line = 0
    private var place = 0

    private(set) var title: String?
    private(set) var curve: LookupSteps?
    private(set) var cube: LookupSteps?

    private var curveSize = 0
    private var cubeSize = 0
    /// What the file says of the ends: of curves and cube, of the curves, of the cube.
    private var (low, high) = (SIMD3<Double>(repeating: 0), SIMD3<Double>(repeating: 1))
    private var curveRange: (Double, Double)?
    private var cubeRange: (Double, Double)?
    private var colors: [SIMD4<Float>] = []

    private static let (mostOfCurve, mostOfCube) = (65_536, 129)

    init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }

    /// - Throws: `damaged-file`.
    mutating func read() throws(MediaError) {
        while true {
            if let color = plainColor() {
                try append(color)
                continue
            }
            guard let words = nextLine() else { break }
            guard let first = words.first else { continue }
            if let number = Double(first) {
                try readColor(number, words)
            } else {
                try readKey(first, words)
            }
        }
        guard curveSize > 0 || cubeSize > 0 else {
            throw refusal("it says neither LUT_1D_SIZE nor LUT_3D_SIZE")
        }
        guard colors.count == expected else {
            throw refusal("it has \(colors.count) of \(expected) colours; it may be cut off")
        }
        guard (high .<= low) == SIMDMask(repeating: false) else {
            throw refusal("its domain does not end behind its beginning")
        }
        if curveSize > 0 { curve = steps(curveSize, colors[..<curveSize], curveRange) }
        if cubeSize > 0 { cube = steps(cubeSize, colors[curveSize...], cubeRange) }
    }

    private var expected: Int { curveSize + cubeSize * cubeSize * cubeSize }

    private func steps(
        _ size: Int, _ colors: ArraySlice<SIMD4<Float>>, _ range: (Double, Double)?
    ) -> LookupSteps {
        LookupSteps(
            size: size, low: range.map { SIMD3(repeating: $0.0) } ?? low,
            high: range.map { SIMD3(repeating: $0.1) } ?? high, colors: Array(colors))
    }

    // MARK: Lines

    /// The words of the next line, without comments; nil at the end.
    private mutating func nextLine() -> [Substring]? {
        guard place < bytes.count else { return nil }
        line += 1
        let rest = bytes[place...]
        // files of old computers end lines with a carriage return alone
        let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
        var text = rest[..<end]
        place = end + 1
        if end < bytes.count, bytes[end] == 13, place < bytes.count, bytes[place] == 10 {
            place += 1
        }
        if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        // a title may hold one
        if let comment = text.firstIndex(of: UInt8(ascii: "#")),
            !text[..<comment].contains(UInt8(ascii: "\""))
        {
            text = text[..<comment]
        }
        return String(decoding: text, as: UTF8.self)
            .split { $0 == " " || $0 == "\t" }
    }

    /// The colour of the next line if it is written as nearly all are; another line stays. Tables have hundreds of
    /// thousands, for which words are too slow.
    private mutating func plainColor() -> SIMD3<Double>? {
        var position = place
        var color = SIMD3<Double>()
        for channel in 0..<3 {
            while position < bytes.count, bytes[position] == 32 { position += 1 }
            guard let number = plainNumber(&position) else { return nil }
            color[channel] = number
        }
        while position < bytes.count, bytes[position] == 32 { position += 1 }
        if position < bytes.count, bytes[position] == 13 { position += 1 }
        guard position < bytes.count, bytes[position] == 10 else { return nil }
        line += 1
        place = position + 1
        return color
    }

    /// Digits with a point, few enough for an exact quotient.
    private func plainNumber(_ position: inout Int) -> Double? {
        var (digits, decimals, count) = (0, -1, 0)
        while position < bytes.count {
            switch bytes[position] {
            case 48...57:
                digits = digits * 10 + Int(bytes[position] - 48)
                count += 1
                if decimals >= 0 { decimals += 1 }
            case 46 where decimals < 0: decimals = 0
            default:
                guard count > 0, count <= 15 else { return nil }
                return Double(digits) / Self.powers[max(0, decimals)]
            }
            guard count <= 15 else { return nil }
            position += 1
        }
        return nil
    }

    private static let powers: [Double] = (0...15).map { power in
        (0..<power).reduce(1) { product, _ in product * 10 }
    }

    private mutating func readColor(
        _ red: Double, _ words: [Substring]
    ) throws(MediaError) {
        guard words.count == 3, let green = Double(words[1]), let blue = Double(words[2]),
            red.isFinite, green.isFinite, blue.isFinite,
            max(red.magnitude, green.magnitude, blue.magnitude) < 1e30
        else { throw refusal("line \(line) is no colour of three numbers") }
        try append(SIMD3(red, green, blue))
    }

    private mutating func append(_ color: SIMD3<Double>) throws(MediaError) {
        guard colors.count < expected else {
            throw refusal(
                expected == 0
                    ? "line \(line) is a colour, and no size was given before it"
                    : "line \(line) is a colour more than its size allows")
        }
        colors.append(SIMD4(Float(color.x), Float(color.y), Float(color.z), 0))
    }

    private mutating func readKey(
        _ key: Substring, _ words: [Substring]
    ) throws(MediaError) {
        switch key {
        case "TITLE":
            let text = words.dropFirst().joined(separator: " ")
            title = text.filter { $0 != "\"" }
        case "LUT_1D_SIZE": curveSize = try size(words, most: Self.mostOfCurve)
        case "LUT_3D_SIZE": cubeSize = try size(words, most: Self.mostOfCube)
        case "DOMAIN_MIN": low = try three(words)
        case "DOMAIN_MAX": high = try three(words)
        case "LUT_1D_INPUT_RANGE": curveRange = try range(words)
        case "LUT_3D_INPUT_RANGE": cubeRange = try range(words)
        default:
            throw refusal(
                "line \(line) begins with \(JSONWriter.quoted(String(key.prefix(40)))), which "
                    + ".cube files do not know")
        }
    }

    private func size(_ words: [Substring], most: Int) throws(MediaError) -> Int {
        guard colors.isEmpty, words.count == 2, let size = Int(words[1]), (2...most).contains(size)
        else { throw refusal("the size in line \(line) must be 2 to \(most), before all colours") }
        return size
    }

    private func three(_ words: [Substring]) throws(MediaError) -> SIMD3<Double> {
        let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
        guard words.count == 4, numbers.count == 3 else {
            throw refusal("line \(line) needs three numbers")
        }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }

    private func range(_ words: [Substring]) throws(MediaError) -> (Double, Double) {
        guard words.count == 3, let low = Double(words[1]), let high = Double(words[2]),
            low.isFinite, high.isFinite, low < high
        else { throw refusal("line \(line) needs two numbers, the smaller one first") }
        return (low, high)
    }

    private func refusal(_ why: String) -> MediaError {
        MediaError(
            code: .damagedFile, subject: name,
            message: "the lookup table \(name) cannot be used: \(why)")
    }
}
