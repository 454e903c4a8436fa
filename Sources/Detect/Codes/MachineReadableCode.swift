public import Media

/// A code that a frame shows: QR, EAN-13, …
public struct MachineReadableCode: MetadataObject, Hashable {
    /// Its symbology.
    public var type: MetadataObjectType
    public var time: MediaTime
    /// What it says; nil where it is no text. Of EAN and UPC the digits as they are printed, check digit included: an
    /// EAN-13 that begins with 0 is a UPC-A of 12 digits.
    public var stringValue: String?
    /// What it says before characters are made of it.
    public var bytes: [UInt8]
    /// Its own top left, top right, bottom right and bottom left corner: of a code that stands on its head, the first
    /// one lies at the bottom right of the frame. Of a linear code those of its bars, as far as all of them reach.
    public var corners: [NormalizedPoint]

    public init(
        type: MetadataObjectType, time: MediaTime, stringValue: String?, bytes: [UInt8],
        corners: [NormalizedPoint]
    ) {
        self.type = type
        self.time = time
        self.stringValue = stringValue
        self.bytes = bytes
        self.corners = corners
    }

    public var bounds: NormalizedRect { NormalizedRect(around: corners) }

    /// Whether another one is the same code, wherever and whenever it was seen.
    public func saysTheSame(as other: MachineReadableCode) -> Bool {
        type == other.type && stringValue == other.stringValue && bytes == other.bytes
    }
}
