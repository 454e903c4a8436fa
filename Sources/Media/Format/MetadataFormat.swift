/// The format of a metadata track: the keys that its samples have values for.
public struct MetadataFormat: Sendable, Hashable {
    /// What is said, and in which form.
    public struct Key: Sendable, Hashable {
        /// A name in reverse-DNS form, such as "com.example.detected-code" (1 to 255 bytes of visible ASCII).
        public var identifier: String
        /// The form of all values of the key.
        public var dataType: MetadataDataType

        public init(_ identifier: String, _ dataType: MetadataDataType) {
            self.identifier = identifier
            self.dataType = dataType
        }
    }

    /// Each identifier once, in the order in which they are numbered from 1 in samples (1 to 256 keys).
    public var keys: [Key]

    public init(keys: [Key]) { self.keys = keys }

    /// Most keys of a track (count).
    package static let mostKeys = 256
    /// Longest identifier (bytes).
    package static let longestIdentifier = 255
    /// Most bytes of a sample (bytes).
    package static let largestSample = 4 << 20
    /// Names that cameras of one maker use for tracks of their own, which are read by other means.
    private static let reservedNames = "com.apple.quicktime."

    /// - Throws: `invalidSetting`, naming the key.
    public func validate() throws(MediaError) {
        if let obstacle {
            throw MediaError(
                code: .invalidSetting, subject: "metadata keys",
                message: "Cannot use these metadata keys: \(obstacle).")
        }
    }

    /// Why no track can have these keys, a half-sentence; nil: one can.
    package var obstacle: String? {
        guard (1...Self.mostKeys).contains(keys.count) else {
            return "there are \(keys.count); give 1 to \(Self.mostKeys)"
        }
        var known: Set<String> = []
        for key in keys {
            let bytes = key.identifier.utf8
            guard (1...Self.longestIdentifier).contains(bytes.count),
                bytes.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                return "an identifier is not 1 to \(Self.longestIdentifier) bytes of visible ASCII"
            }
            guard !key.identifier.hasPrefix(Self.reservedNames) else {
                return "\(key.identifier) is a name that cameras use for tracks of their own; "
                    + "use a name of your own domain"
            }
            guard known.insert(key.identifier).inserted else {
                return "\(key.identifier) is there twice"
            }
        }
        return nil
    }
}

/// The form of a metadata value. The raw values are what MP4 files and reports say.
public enum MetadataDataType: String, Sendable, Hashable, Codable, CaseIterable {
    /// UTF-8.
    case text
    /// JSON (RFC 8259), kept as it is written.
    case json
    /// A signed integer (64 bits).
    case integer
    /// An unsigned integer (64 bits).
    case unsignedInteger = "unsigned"
    /// A floating-point number (64 bits).
    case number
    /// Horizontal and vertical place (two floating-point numbers of 32 bits).
    case point
    /// Horizontal and vertical place, width and height (four floating-point numbers of 32 bits).
    case rectangle
    /// Bytes of any meaning.
    case data

    /// How long every value is (bytes); nil: any length.
    var size: Int? {
        switch self {
        case .text, .json, .data: nil
        case .integer, .unsignedInteger, .number, .point: 8
        case .rectangle: 16
        }
    }
}
