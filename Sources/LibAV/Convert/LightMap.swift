/// Pixels of a row of full-range RGB of 16 bits.
struct RGBRow {
    let red: UnsafeMutablePointer<UInt16>
    let green: UnsafeMutablePointer<UInt16>
    let blue: UnsafeMutablePointer<UInt16>

    /// - Parameter planes: the first pixel in each.
    init(_ planes: [UnsafeMutableRawPointer]) {
        red = planes[0].assumingMemoryBound(to: UInt16.self)
        green = planes[1].assumingMemoryBound(to: UInt16.self)
        blue = planes[2].assumingMemoryBound(to: UInt16.self)
    }
}

/// What is done to light between SDR and a high dynamic range.
enum LightMap: Sendable {
    case tone(ToneMap)
    /// To a high dynamic range.
    case raise(StandardCodes)

    /// - Parameter target: another row, or the same.
    func apply(_ source: RGBRow, into target: RGBRow, count: Int) {
        switch self {
        case .tone(let map): map.apply(source, into: target, count: count)
        case .raise(let codes): codes.apply(source, into: target, count: count)
        }
    }
}
