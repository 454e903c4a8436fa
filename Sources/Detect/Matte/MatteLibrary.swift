internal import CMattes
internal import Media

/// The calls of libvcap-mattes.so, looked up when a model is read for the first time: it is linked to OpenCV. Immutable.
///
/// Source: Sources/System/CMattes/mattes.h.
final class MatteLibrary: Sendable {
    private typealias Open =
        @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CChar>?, Int) ->
        OpaquePointer?
    private typealias Run =
        @convention(c) (
            OpaquePointer?, UnsafePointer<Float>?, UnsafePointer<Int32>?,
            UnsafeMutablePointer<Float>?, Int, UnsafeMutablePointer<Int32>?,
            UnsafeMutablePointer<CChar>?, Int
        ) -> Int64
    private typealias Close = @convention(c) (OpaquePointer?) -> Void

    private let path: String
    private let open: Open
    private let run: Run
    private let close: Close

    static let absence = ShimLibrary.Absence(
        file: "libvcap-mattes.so", purpose: "a matte by a model", upstream: "OpenCV",
        package: "libopencv-dnn406", task: "make")
    private static let loaded = Result { () throws(MediaError) in try MatteLibrary() }

    /// Loaded once and never given back.
    /// - Throws: `unsupported` where it, or OpenCV, is not installed.
    static func shared() throws(MediaError) -> MatteLibrary { try loaded.get() }

    /// - Parameter paths: the first that can be loaded is taken; `nil`: where it usually is.
    init(paths: [String]? = nil) throws(MediaError) {
        let library = try ShimLibrary(
            Self.absence, paths: paths, interface: "vcap_mattes_interface",
            version: VCAP_MATTES_INTERFACE)
        path = library.path
        open = unsafeBitCast(try library.call("vcap_mattes_open"), to: Open.self)
        run = unsafeBitCast(try library.call("vcap_mattes_run"), to: Run.self)
        close = unsafeBitCast(try library.call("vcap_mattes_close"), to: Close.self)
    }

    /// A model that was read. For one thread at a time.
    // because its owner serialises its calls
    final class Model: @unchecked Sendable {
        private let library: MatteLibrary
        private let handle: OpaquePointer

        fileprivate init(_ library: MatteLibrary, _ handle: OpaquePointer) {
            (self.library, self.handle) = (library, handle)
        }

        deinit { library.close(handle) }

        /// - Parameters:
        ///   - input: as many values as its shape says.
        ///   - most: values of the output that are wanted.
        /// - Returns: the first output and its four dimensions.
        func run(
            _ input: [Float], _ shape: [Int32], most: Int
        ) throws(MediaError) -> (values: [Float], shape: [Int]) {
            var message = [CChar](repeating: 0, count: 256)
            var values = [Float](repeating: 0, count: most)
            var made = [Int32](repeating: 0, count: 4)
            let count = library.run(
                handle, input, shape, &values, most, &made, &message, message.count)
            guard count >= 0 else { throw .model("failed: \(ShimLibrary.text(message))") }
            guard count <= most else { throw .model("has an output of \(count) values") }
            return (Array(values.prefix(Int(count))), made.map(Int.init))
        }
    }

    /// Tries a model in a process of its own, and reads it. Blocks.
    /// - Parameters:
    ///   - bytes: of the file.
    ///   - file: its path.
    ///   - shape: of the input it is tried on.
    func model(
        _ bytes: UnsafeRawBufferPointer, of file: String, trying shape: [Int32]
    ) throws(MediaError) -> Model {
        if let why = try ModelCheck().refusal(of: file, by: path, shape: shape) {
            throw .model("cannot be used: \(why)")
        }
        // what was tried is what is read
        guard try ModelFile.read(file).elementsEqual(bytes) else {
            throw .model("was changed while it was tried")
        }
        var message = [CChar](repeating: 0, count: 256)
        let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let handle = open(base, bytes.count, &message, message.count) else {
            throw .model("cannot be read: \(ShimLibrary.text(message))")
        }
        return Model(self, handle)
    }
}

extension MediaError {
    /// - Parameter reason: what of a model is not as it should be.
    static func model(_ reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: "model", message: "The model \(reason).")
    }
}
