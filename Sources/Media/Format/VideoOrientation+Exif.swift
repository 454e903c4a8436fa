extension VideoOrientation {
    /// Exif's number (1…8); nil for any other.
    ///
    /// Source: Exif 2.32, 4.6.4, tag 0x0112.
    package init?(exif value: Int) {
        switch value {
        case 1: self = .upright
        case 2: self.init(isMirrored: true)
        case 3: self.init(rotation: .half)
        case 4: self.init(rotation: .half, isMirrored: true)
        case 5: self.init(rotation: .clockwise270, isMirrored: true)
        case 6: self.init(rotation: .clockwise90)
        case 7: self.init(rotation: .clockwise90, isMirrored: true)
        case 8: self.init(rotation: .clockwise270)
        default: return nil
        }
    }

    /// Exif's number for it (1…8).
    package var exif: Int { (1...8).first { VideoOrientation(exif: $0) == self } ?? 1 }
}
