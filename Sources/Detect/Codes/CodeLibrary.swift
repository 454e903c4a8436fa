internal import CCodes
internal import Media

/// The calls of libvcap-codes.so, looked up when codes are detected for the first time: it is linked to zxing-cpp and
/// the C++ runtime, which a program that detects nothing needs neither at run time nor in memory. Immutable.
///
/// Source: Sources/System/CCodes/codes.h.
final class CodeLibrary: Sendable {
    private typealias Read =
        @convention(c) (
            UnsafePointer<UInt8>?, Int32, Int32, Int, UInt32, Int32, UnsafeMutablePointer<CChar>?,
            Int
        ) -> OpaquePointer?
    private typealias Count = @convention(c) (OpaquePointer?) -> Int
    private typealias Get =
        @convention(c) (OpaquePointer?, Int, UnsafeMutablePointer<vcap_code>?) -> Int32
    private typealias Free = @convention(c) (OpaquePointer?) -> Void

    private typealias MakeQR =
        @convention(c) (
            UnsafePointer<CChar>?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CChar>?,
            Int
        ) -> Int32

    private let makeQR: MakeQR
    private let read: Read
    private let count: Count
    private let get: Get
    private let free: Free

    /// A code as the library reads it: places in pixels.
    struct Found: Sendable {
        let type: MetadataObjectType
        let text: String?
        let bytes: [UInt8]
        /// Horizontal and vertical (pixels).
        let corners: [(x: Float, y: Float)]
    }

    static let absence = ShimLibrary.Absence(
        file: "libvcap-codes.so", purpose: "codes", upstream: "zxing-cpp", package: "libzxing2",
        task: "read or make")
    private static let loaded = Result { () throws(MediaError) in try CodeLibrary() }

    /// Loaded once and never given back.
    /// - Throws: `unsupported` where it, or zxing-cpp, is not installed.
    static func shared() throws(MediaError) -> CodeLibrary { try loaded.get() }

    /// - Parameter paths: the first that can be loaded is taken; `nil`: where it usually is.
    init(paths: [String]? = nil) throws(MediaError) {
        let library = try ShimLibrary(
            Self.absence, paths: paths, interface: "vcap_codes_interface",
            version: VCAP_CODES_INTERFACE)
        makeQR = unsafeBitCast(try library.call("vcap_codes_make_qr"), to: MakeQR.self)
        read = unsafeBitCast(try library.call("vcap_codes_read"), to: Read.self)
        count = unsafeBitCast(try library.call("vcap_codes_count"), to: Count.self)
        get = unsafeBitCast(try library.call("vcap_codes_get"), to: Get.self)
        free = unsafeBitCast(try library.call("vcap_codes_free"), to: Free.self)
    }

    /// Looks for codes in a part of a plane of luma. Thread-safe.
    /// - Throws: `unsupported` for a size that cannot be looked at, `decoderFailed` when zxing-cpp fails.
    func codes(
        in plane: PixelPlane, x: Range<Int>, y: Range<Int>, types: Set<MetadataObjectType>,
        isThorough: Bool
    ) throws(MediaError) -> [Found] {
        var message = [CChar](repeating: 0, count: 256)
        let base = plane.row(y.lowerBound).advanced(by: x.lowerBound)
        guard
            let list = read(
                base, Int32(clamping: x.count), Int32(clamping: y.count), plane.bytesPerRow,
                Self.bits(of: types), isThorough ? 1 : 0, &message, message.count)
        else {
            throw MediaError(
                code: .decoderFailed, function: "vcap_codes_read",
                subject: "\(x.count)x\(y.count)",
                message: "Cannot look for codes in a frame of \(x.count)x\(y.count): "
                    + ShimLibrary.text(message) + ".")
        }
        defer { free(list) }
        return (0..<count(list)).compactMap { index in
            var code = vcap_code()
            guard get(list, index, &code) != 0 else { return nil }
            return Self.found(code, left: x.lowerBound, top: y.lowerBound)
        }
    }

    /// Makes a QR code. Thread-safe.
    /// - Returns: its modules row by row, as many rows as each has modules: true where it is dark.
    /// - Throws: `invalidSetting` for text that no QR code holds.
    func qr(_ text: String) throws(MediaError) -> (side: Int, dark: [Bool]) {
        var message = [CChar](repeating: 0, count: 256)
        var modules = [UInt8](
            repeating: 0, count: Int(VCAP_CODES_QR_SIDE) * Int(VCAP_CODES_QR_SIDE))
        let bytes = Array(text.utf8).map(CChar.init(bitPattern:))
        let side = Int(makeQR(bytes, bytes.count, &modules, &message, message.count))
        guard side > 0 else {
            throw MediaError(
                code: .invalidSetting, function: "vcap_codes_make_qr", subject: "text",
                message: "Cannot make a QR code of a text of \(bytes.count) bytes: "
                    + ShimLibrary.text(message) + ".")
        }
        return (side, modules.prefix(side * side).map { $0 != 0 })
    }

    private static func found(_ code: vcap_code, left: Int, top: Int) -> Found? {
        guard let type = symbologies.first(where: { $0.bit == code.symbology })?.type else {
            return nil
        }
        let bytes = Array(UnsafeBufferPointer(start: code.bytes, count: code.bytes_length))
        let text = code.text.map { base in
            let raw = UnsafeRawBufferPointer(start: base, count: code.text_length)
            return String(decoding: raw, as: UTF8.self)
        }
        let values = withUnsafeBytes(of: code.corners) { Array($0.bindMemory(to: Float.self)) }
        let corners = stride(from: 0, to: values.count - 1, by: 2).map {
            (x: values[$0] + Float(left), y: values[$0 + 1] + Float(top))
        }
        return Found(
            type: type, text: code.is_text != 0 ? text ?? "" : nil, bytes: bytes, corners: corners)
    }

    private static let symbologies: [(type: MetadataObjectType, bit: UInt32)] = [
        (.aztec, bit(VCAP_CODES_AZTEC)), (.codabar, bit(VCAP_CODES_CODABAR)),
        (.code39, bit(VCAP_CODES_CODE_39)), (.code93, bit(VCAP_CODES_CODE_93)),
        (.code128, bit(VCAP_CODES_CODE_128)), (.dataMatrix, bit(VCAP_CODES_DATA_MATRIX)),
        (.ean8, bit(VCAP_CODES_EAN_8)), (.ean13, bit(VCAP_CODES_EAN_13)),
        (.itf, bit(VCAP_CODES_ITF)), (.pdf417, bit(VCAP_CODES_PDF_417)),
        (.qr, bit(VCAP_CODES_QR)), (.upca, bit(VCAP_CODES_UPC_A)),
        (.upce, bit(VCAP_CODES_UPC_E)),
    ]

    private static func bit(_ value: some BinaryInteger) -> UInt32 {
        UInt32(truncatingIfNeeded: value)
    }

    private static func bits(of types: Set<MetadataObjectType>) -> UInt32 {
        symbologies.reduce(0) { types.contains($1.type) ? $0 | $1.bit : $0 }
    }
}
