/// The two dialects of one file format.
package enum MovieContainer: String, Sendable, Hashable, CaseIterable {
    case mp4, mov

    /// The first box of a file.
    var fileType: FileTypeBox {
        switch self {
        case .mp4:
            // iso6: fragments whose offsets count from their own moof
            FileTypeBox(
                majorBrand: "isom", minorVersion: 0x200,
                compatibleBrands: ["isom", "iso6", "mp41", "mp42"])
        case .mov:
            FileTypeBox(
                majorBrand: "qt  ", minorVersion: 0x200, compatibleBrands: ["qt  ", "iso6"])
        }
    }
}
