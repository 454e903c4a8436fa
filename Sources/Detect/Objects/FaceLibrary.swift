internal import CFaces
internal import Media

/// The calls of libvcap-faces.so, looked up when something is detected for the first time: it is linked to OpenCV.
/// Immutable.
///
/// Source: Sources/System/CFaces/faces.h.
final class FaceLibrary: Sendable {
    fileprivate typealias Open =
        @convention(c) (
            UInt32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int
        ) -> OpaquePointer?
    fileprivate typealias Look =
        @convention(c) (
            OpaquePointer?, UnsafePointer<UInt8>?, Int32, Int32, Int, Int32,
            UnsafePointer<vcap_faces_place>?, Int32, UnsafeMutablePointer<vcap_face>?,
            UnsafeMutablePointer<CChar>?, Int
        ) -> Int32
    fileprivate typealias Close = @convention(c) (OpaquePointer?) -> Void

    fileprivate let open: Open
    fileprivate let look: Look
    fileprivate let close: Close
    private let path: String

    static let absence = ShimLibrary.Absence(
        file: "libvcap-faces.so", purpose: "faces, bodies and cats", upstream: "OpenCV",
        package: "libopencv-objdetect406")
    /// Where Debian's opencv-data is.
    static let cascades = "/usr/share/opencv4"
    private static let loaded = Result { () throws(MediaError) in try FaceLibrary() }

    /// Loaded once and never given back.
    /// - Throws: `unsupported` where it, or OpenCV, is not installed.
    static func shared() throws(MediaError) -> FaceLibrary { try loaded.get() }

    /// - Parameter paths: the first that can be loaded is taken; `nil`: where it usually is.
    init(paths: [String]? = nil) throws(MediaError) {
        let library = try ShimLibrary(
            Self.absence, paths: paths, interface: "vcap_faces_interface",
            version: VCAP_FACES_INTERFACE)
        path = library.path
        open = unsafeBitCast(try library.call("vcap_faces_open"), to: Open.self)
        look = unsafeBitCast(try library.call("vcap_faces_look"), to: Look.self)
        close = unsafeBitCast(try library.call("vcap_faces_close"), to: Close.self)
    }

    /// Tries a model in another process.
    /// - Throws: `noSuchFile`, and `damagedFile` where it is of no use; `unsupported` where it cannot be tried.
    func require(model: String) throws(MediaError) {
        try ModelCheck().require(model, for: path)
    }
}

/// One detector of the library, with the cascades it has read. For one thread at a time.
final class FaceFinder {
    private let library: FaceLibrary
    private let handle: OpaquePointer

    /// Something in a frame: places in pixels.
    struct Found: Sendable {
        let type: MetadataObjectType
        let left: Double
        let top: Double
        let width: Double
        let height: Double
        let confidence: Double
        let roll: Double?
        let yaw: Double?
    }

    /// Where something of a type is expected, in pixels.
    struct Place: Sendable {
        let type: MetadataObjectType
        let left: Double
        let top: Double
        let width: Double
        let height: Double
        /// How far around it is looked (parts of its sides).
        let margin: Double
    }

    /// - Parameters:
    ///   - folder: of the cascades.
    ///   - model: a model for faces that has been tried.
    /// - Throws: `unsupported` where a cascade is missing or damaged, `damagedFile` for a model that cannot be read.
    init(
        _ library: FaceLibrary, types: Set<MetadataObjectType>, cascades folder: String,
        model: String? = nil
    ) throws(MediaError) {
        var message = [CChar](repeating: 0, count: 512)
        guard
            let handle = library.open(
                Self.bits(of: types), folder, model, &message, message.count)
        else {
            if let model, ShimLibrary.text(message).hasPrefix(model) {
                throw MediaError(
                    code: .damagedFile, function: "vcap_faces_open", subject: model,
                    message: "Cannot detect faces: \(ShimLibrary.text(message)).")
            }
            throw MediaError(
                code: .unsupported, function: "vcap_faces_open", subject: folder,
                message:
                    "Cannot detect faces or cats: \(ShimLibrary.text(message)); install Debian's "
                    + "opencv-data (again).")
        }
        self.library = library
        self.handle = handle
    }

    deinit { library.close(handle) }

    /// Looks at a part of a plane of luma.
    /// - Parameter places: around which is looked, for what is about as large; `nil`: everywhere.
    /// - Throws: `decoderFailed` for a size that cannot be looked at, and when OpenCV fails.
    func objects(
        in plane: PixelPlane, x: Range<Int>, y: Range<Int>, isThorough: Bool,
        near places: [Place]? = nil
    ) throws(MediaError) -> [Found] {
        let places = places?.map { Self.place($0, fromX: x.lowerBound, y: y.lowerBound) }
        // an empty array may have no address, which would be everywhere
        if places?.isEmpty ?? false { return [] }
        var message = [CChar](repeating: 0, count: 512)
        var found = [vcap_face](repeating: vcap_face(), count: Int(VCAP_FACES_MOST))
        let base = plane.row(y.lowerBound).advanced(by: x.lowerBound)
        let count = library.look(
            handle, base, Int32(clamping: x.count), Int32(clamping: y.count), plane.bytesPerRow,
            isThorough ? 1 : 0, places, Int32(clamping: places?.count ?? 0), &found, &message,
            message.count)
        guard count >= 0 else {
            throw MediaError(
                code: .decoderFailed, function: "vcap_faces_look",
                subject: "\(x.count)x\(y.count)",
                message: "Cannot look at a frame of \(x.count)x\(y.count): "
                    + ShimLibrary.text(message) + ".")
        }
        return found.prefix(Int(count)).compactMap { face in
            guard let type = Self.kinds.first(where: { $0.bit == face.kind })?.type else {
                return nil
            }
            return Found(
                type: type, left: Double(face.left) + Double(x.lowerBound),
                top: Double(face.top) + Double(y.lowerBound), width: Double(face.width),
                height: Double(face.height), confidence: Double(face.confidence),
                roll: face.has_roll != 0 ? Double(face.roll) : nil,
                yaw: face.has_yaw != 0 ? Double(face.yaw) : nil)
        }
    }

    private static func place(_ place: Place, fromX left: Int, y top: Int) -> vcap_faces_place {
        vcap_faces_place(
            kind: bits(of: [place.type]), left: Float(place.left - Double(left)),
            top: Float(place.top - Double(top)), width: Float(place.width),
            height: Float(place.height), margin: Float(place.margin))
    }

    private static let kinds: [(type: MetadataObjectType, bit: UInt32)] = [
        (.face, UInt32(VCAP_FACES_FACE)), (.humanBody, UInt32(VCAP_FACES_BODY)),
        (.catHead, UInt32(VCAP_FACES_CAT)),
    ]

    private static func bits(of types: Set<MetadataObjectType>) -> UInt32 {
        kinds.reduce(0) { types.contains($1.type) ? $0 | $1.bit : $0 }
    }
}
