extension ValueKind where Value == Int64 {
    /// Bytes: `64M`, `1.5G`, `500000`; K, M, G and T are powers of 1024, as for disks elsewhere.
    static var byteCount: ValueKind {
        ValueKind("SIZE", expected: "a size such as 64M, 2G or 0") { text in
            let shifts: [Character: Int64] = ["k": 10, "m": 20, "g": 30, "t": 40]
            let word = text.lowercased()
            let shift = word.last.flatMap { shifts[$0] }
            guard let number = scaledDecimal(shift == nil ? word[...] : word.dropLast(), scale: 3)
            else { return nil }
            let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
            return isTooLarge ? nil : bytes / 1000
        }
    }
}
