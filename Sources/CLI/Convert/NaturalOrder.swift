/// The order people expect of names: digits compare as numbers (1, 2, 10), all else as it stands.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (a, b) = (Array(left.utf8), Array(right.utf8))
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let (first, second) = (run(a, from: i), run(b, from: j))
                let (one, two) = (number(a[first]), number(b[second]))
                if one.count != two.count { return one.count < two.count }
                if one != two { return one.lexicographicallyPrecedes(two) }
                (i, j) = (first.upperBound, second.upperBound)
            } else {
                if a[i] != b[j] { return a[i] < b[j] }
                (i, j) = (i + 1, j + 1)
            }
        }
        let (restLeft, restRight) = (a.count - i, b.count - j)
        // equal but for leading zeros: any order that is always the same
        return restLeft != restRight ? restLeft < restRight : a.lexicographicallyPrecedes(b)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func run(_ bytes: [UInt8], from start: Int) -> Range<Int> {
        start..<(bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count)
    }

    /// Digits without leading zeros.
    private static func number(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        Array(digits.drop { $0 == 0x30 })
    }
}
