/// EAN and UPC as they are printed beneath their bars.
enum PrintedDigits {
    /// - Parameter text: as zxing-cpp reads it: a UPC-A may come as the EAN-13 that it is, with a 0 in front.
    static func text(_ text: String, of type: MetadataObjectType) -> String {
        type == .upca && text.utf8.count == 13 && text.hasPrefix("0")
            ? String(text.dropFirst()) : text
    }
}
