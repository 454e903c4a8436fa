extension ValueKind where Value == Int {
    /// Bits per second with k, M or G: `8M`, `2500k`, `1.5M` (1,000…1,000,000,000 bit/s).
    static var bitrate: ValueKind {
        ValueKind("BITRATE", expected: "a bit rate such as 8M or 2500k") { text in
            let scales: [Character: Int] = ["k": 3, "K": 3, "M": 6, "G": 9]
            let scale = text.last.flatMap { scales[$0] }
            let number = scale == nil ? text[...] : text.dropLast()
            guard let bits = scaledDecimal(number, scale: scale ?? 0),
                (1000...1_000_000_000).contains(bits)
            else { return nil }
            return Int(bits)
        }
    }
}
