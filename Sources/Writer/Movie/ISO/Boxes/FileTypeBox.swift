package import Media

/// `ftyp`: what readers may expect (ISO/IEC 14496-12, 4.3).
package struct FileTypeBox: Box {
    package static let type: FourCC = "ftyp"
    package var majorBrand: FourCC
    package var minorVersion: UInt32
    package var compatibleBrands: [FourCC]

    package init(majorBrand: FourCC, minorVersion: UInt32, compatibleBrands: [FourCC]) {
        self.majorBrand = majorBrand
        self.minorVersion = minorVersion
        self.compatibleBrands = compatibleBrands
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        majorBrand = try reader.code()
        minorVersion = try reader.u32()
        compatibleBrands = []
        while reader.remaining >= 4 { compatibleBrands.append(try reader.code()) }
    }

    package func write(to builder: inout BoxBuilder) {
        builder.code(majorBrand)
        builder.u32(minorVersion)
        for brand in compatibleBrands { builder.code(brand) }
    }
}
