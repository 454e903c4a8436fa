package import Media

/// What the codes of both sides of a conversion mean, with nothing left open.
///
/// - A side that does not state it is taken to be like the other one; where both are silent, BT.601 below
///   720 lines and BT.709 above, limited range.
/// - A side that does not state its colours is SDR of BT.709's primaries where the other one has HDR or wide colours;
///   PQ and HLG of a BT.2020 matrix have its primaries.
/// - RGB is full range and has no matrix; grey without a range is full range, as image files have it.
/// - Numbers that H.273 reserves are taken as unstated.
/// - The transfer curves made for one and the same display (BT.709, BT.601, sRGB, gamma 2.2 and 2.8, …)
///   are taken as one: players show their codes alike, and converting between them would darken
///   every webcam's frame. Linear light, PQ and HLG are converted.
struct ConformColors {
    var source: ColorDescription
    var target: ColorDescription

    static let displayTransfers: Set<UInt8> = [1, 4, 5, 6, 7, 11, 13, 14, 15]
    private static let knownTransfers = displayTransfers.union([8, 9, 10, 16, 18])
    private static let knownMatrices: Set<UInt8> = [1, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14]
    private static let knownPrimaries: Set<UInt8> = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22]

    init(
        _ input: ColorDescription, _ inputPixels: PixelFormat, _ output: ColorDescription,
        lines: Int
    ) {
        var first = Self.known(input)
        let second = Self.known(output)
        let isGrey = inputPixels.layout.planes.count == 1 && !inputPixels.isRGB
        if inputPixels.isRGB { (first.matrix, first.range) = (2, .full) }
        if isGrey && inputPixels.layout.planes[0].pixelsPerGroup == 1 {
            first.matrix = 2
            if first.range == .unspecified { first.range = .full }
        }
        let isSDR = first.transfer == 2 && second.rangeName != nil
        first = first.standard(unlessStated: second)
        // nor has it the other's matrix then
        if isSDR, first.matrix == 2, !inputPixels.isRGB, !isGrey {
            first.matrix = lines < 720 ? 6 : 1
        }
        let custom =
            lines < 720
            ? ColorDescription.bt601
            : ColorDescription.bt709
        var hint = first
        if inputPixels.isRGB || isGrey { hint.range = .unspecified }
        target = second.filled(from: hint).filled(from: custom)
        source = first.filled(from: target)
        if Self.displayTransfers.contains(source.transfer),
            Self.displayTransfers.contains(target.transfer)
        {
            source.transfer = target.transfer
        }
        // zimg has constant luminance with curves of SDR alone
        if source.rangeName != nil, source.matrix == 10 { source.matrix = 9 }
        if target.rangeName != nil, target.matrix == 10 { target.matrix = 9 }
        // the two numbers of BT.601's matrix, and of SMPTE C's primaries, mean the same
        if source.matrix == 5 { source.matrix = 6 }
        if target.matrix == 5 { target.matrix = 6 }
        if source.primaries == 7 { source.primaries = 6 }
        if target.primaries == 7 { target.primaries = 6 }
    }

    private static func known(_ color: ColorDescription) -> ColorDescription {
        ColorDescription(
            primaries: knownPrimaries.contains(color.primaries) ? color.primaries : 2,
            transfer: knownTransfers.contains(color.transfer) ? color.transfer : 2,
            matrix: knownMatrices.contains(color.matrix) ? color.matrix : 2, range: color.range)
    }
}

extension ColorDescription {
    /// With what is not stated filled in where another description has what SDR has not.
    fileprivate func standard(unlessStated other: ColorDescription) -> ColorDescription {
        var result = self
        if primaries == 2, rangeName != nil, matrix == 9 || matrix == 10 { result.primaries = 9 }
        if transfer == 2, other.rangeName != nil { result.transfer = 13 }
        if primaries == 2, result.rangeName == nil, [9, 11, 12].contains(other.primaries) {
            result.primaries = 1
        }
        return result
    }
}

extension VideoFormat {
    /// The same raw format with everything stated of its colours: what it leaves open as players take it.
    var withStatedColor: VideoFormat {
        guard let pixels = pixelFormat else { return self }
        var stated = self
        stated.color = ConformColors(color, pixels, .unspecified, lines: height).source
        return stated
    }
}

extension VideoFormat {
    /// Whether the codes of coded frames (YCbCr) are those of frames in a film of other colours, so that
    /// nothing is converted.
    package func hasCodes(of film: ColorDescription) -> Bool {
        let colors = ConformColors(color, .yuv420p, film, lines: height)
        return colors.source == colors.target
    }
}
