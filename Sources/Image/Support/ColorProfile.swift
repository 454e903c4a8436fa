internal import CLCMS
internal import Media

/// Brings pictures of an embedded ICC profile's colours into sRGB. Thread-bound.
///
/// Source: Little CMS; relative colorimetric with black point compensation, as browsers do.
final class ColorProfile {
    /// The components of pictures.
    enum Components: Sendable {
        case gray, rgb, cmyk
        /// As Adobe's programs write JPEG: 255 is no ink.
        case invertedCMYK
    }

    /// Largest profile (bytes); printers' have a few MiB.
    static let most = 8 << 20

    private let transform: cmsHTRANSFORM
    private let isInPlace: Bool

    /// - Parameter pixels: rgb24, rgba, rgb48le or rgba64le; what comes out, and for `rgb` what goes in.
    /// - Returns: nil where the profile is none, is not of such components, or is sRGB itself.
    init?(_ bytes: [UInt8], _ components: Components, _ pixels: PixelFormat) {
        guard (128...Self.most).contains(bytes.count),
            let profile = cmsOpenProfileFromMem(bytes, UInt32(bytes.count))
        else { return nil }
        defer { cmsCloseProfile(profile) }
        let (space, input): (cmsColorSpaceSignature, UInt32)
        switch components {
        case .gray: (space, input) = (cmsSigGrayData, vcap_gray_8)
        case .rgb: (space, input) = (cmsSigRgbData, Self.layout(pixels))
        case .cmyk: (space, input) = (cmsSigCmykData, vcap_cmyk_8)
        case .invertedCMYK: (space, input) = (cmsSigCmykData, vcap_cmyk_inverted_8)
        }
        guard cmsGetColorSpace(profile) == space, !Self.isSRGB(profile),
            let target = cmsCreate_sRGBProfile()
        else { return nil }
        defer { cmsCloseProfile(target) }
        let flags =
            UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION) | UInt32(cmsFLAGS_COPY_ALPHA)
            | UInt32(cmsFLAGS_NOCACHE)
        guard
            let transform = cmsCreateTransform(
                profile, input, target, Self.layout(pixels),
                UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        self.transform = transform
        isInPlace = input == Self.layout(pixels)
    }

    deinit { cmsDeleteTransform(transform) }

    private static func layout(_ pixels: PixelFormat) -> UInt32 {
        switch pixels {
        case .rgba: vcap_rgba_8
        case .rgb48le: vcap_rgb_16
        case .rgba64le: vcap_rgba_16
        default: vcap_rgb_8
        }
    }

    /// By its name: a profile called so means sRGB, and its codes stay as they are.
    private static func isSRGB(_ profile: cmsHPROFILE) -> Bool {
        var text = [CChar](repeating: 0, count: 64)
        cmsGetProfileInfoASCII(
            profile, cmsInfoDescription, "en", "US", &text, UInt32(text.count))
        return text.prefix(4).elementsEqual("sRGB".utf8.map(CChar.init(bitPattern:)))
    }

    /// A picture of RGB.
    func apply(_ picture: inout PixelBuffer) {
        let width = picture.width
        picture.withMutablePlanes { planes in
            for row in 0..<planes[0].rows {
                let line = planes[0].row(row)
                cmsDoTransform(transform, line, line, UInt32(width))
            }
        }
    }

    /// One row of other components.
    func apply(
        _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        cmsDoTransform(transform, source, target, UInt32(count))
    }
}
