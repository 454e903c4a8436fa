internal import CHEIF
internal import Media

/// The main picture of a HEIC, put together of its tiles, through libheif. Thread-bound.
///
/// Source: libheif. It rotates, mirrors and crops as the file says (1.15 does not say how), so pictures come
/// upright.
final class HEICReader {
    let path: String
    private let memory: FileMemory
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Reads the header of the picture; nothing is decoded.
    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        path = file.path
        try HEIFBrands.checkWhole(file)
        memory = try FileMemory(file, limits)
        guard let context = heif_context_alloc() else {
            throw .damaged(path, "there is no memory for it", function: "heif_context_alloc")
        }
        self.context = context
        heif_context_set_maximum_image_size_limit(context, 65_535)
        var error = heif_context_read_from_memory_without_copy(
            context, memory.bytes.baseAddress, memory.bytes.count, nil)
        var handle: OpaquePointer?
        if error.code == heif_error_Ok {
            error = heif_context_get_primary_image_handle(context, &handle)
        }
        guard error.code == heif_error_Ok, let handle else {
            let failure = Self.failure("heif_context_read_from_memory", error, path)
            heif_context_free(context)
            throw failure
        }
        self.handle = handle
        try limits.checkSize(
            Int(heif_image_handle_get_ispe_width(handle)),
            Int(heif_image_handle_get_ispe_height(handle)), isStill: true, of: path)
        try limits.checkSize(width, height, isStill: true, of: path)
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    private static func failure(
        _ function: String, _ error: heif_error, _ path: String
    ) -> MediaError {
        // it ends some of its lines
        let text =
            error.message.map {
                String(cString: $0).split(whereSeparator: \.isNewline).joined(separator: " ")
            }
            ?? "error \(error.code.rawValue)"
        return .damaged(path, "its picture is none (\(text))", function: function)
    }

    /// Upright (pixels).
    var width: Int { Int(heif_image_handle_get_width(handle)) }
    var height: Int { Int(heif_image_handle_get_height(handle)) }
    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }
    var isDeep: Bool { heif_image_handle_get_luma_bits_per_pixel(handle) > 8 }

    /// The embedded ICC profile; empty for none.
    var profile: [UInt8] {
        let kind = heif_image_handle_get_color_profile_type(handle)
        let size = heif_image_handle_get_raw_color_profile_size(handle)
        guard kind == heif_color_profile_type_prof || kind == heif_color_profile_type_rICC,
            (1..<(16 << 20)).contains(size)
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: size)
        let error = heif_image_handle_get_raw_color_profile(handle, &bytes)
        return error.code == heif_error_Ok ? bytes : []
    }

    /// What RGB of it means, where no profile states.
    var color: ColorDescription {
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        let error = heif_image_handle_get_nclx_color_profile(handle, &profile)
        guard error.code == heif_error_Ok, let profile else { return .pictures }
        defer { heif_nclx_color_profile_free(profile) }
        return .pictures(
            primaries: UInt8(truncatingIfNeeded: profile.pointee.color_primaries.rawValue),
            transfer: UInt8(truncatingIfNeeded: profile.pointee.transfer_characteristics.rawValue))
    }

    /// The embedded Exif data; empty for none.
    var exif: [UInt8] {
        var item: heif_item_id = 0
        guard heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &item, 1) == 1
        else { return [] }
        let size = heif_image_handle_get_metadata_size(handle, item)
        guard (5..<(16 << 20)).contains(size) else { return [] }
        var bytes = [UInt8](repeating: 0, count: size)
        let error = heif_image_handle_get_metadata(handle, item, &bytes)
        // where the data begin stands before them
        let start = 4 + bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        return error.code == heif_error_Ok && start < size ? Array(bytes[start...]) : []
    }

    /// - Parameter format: rgb24, rgba, rgb48le or rgba64le.
    /// - Throws: `damaged-file`.
    func picture(_ format: PixelFormat) throws(MediaError) -> PixelBuffer {
        let isDeep = format.bitDepth == 16
        let chroma: heif_chroma
        switch (isDeep, format.hasAlpha) {
        case (false, false): chroma = heif_chroma_interleaved_RGB
        case (false, true): chroma = heif_chroma_interleaved_RGBA
        case (true, false): chroma = heif_chroma_interleaved_RRGGBB_LE
        case (true, true): chroma = heif_chroma_interleaved_RRGGBBAA_LE
        }
        var image: OpaquePointer?
        let error = heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, nil)
        guard error.code == heif_error_Ok, let image else {
            throw Self.failure("heif_decode_image", error, path)
        }
        defer { heif_image_release(image) }
        var stride: Int32 = 0
        let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
        guard let plane,
            Int(heif_image_get_width(image, heif_channel_interleaved)) == width,
            Int(heif_image_get_height(image, heif_channel_interleaved)) == height
        else { throw .damaged(path, "its picture has another size") }
        let depth = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
        let count = format.layout.planes[0].bytesPerRow(width: width)
        var result = PixelBuffer(width: width, height: height, format: format)
        result.withMutablePlanes { planes in
            for row in 0..<height {
                let target = planes[0].row(row)
                target.update(from: plane + row * Int(stride), count: count)
                guard isDeep, (9..<16).contains(depth) else { continue }
                // codes of fewer bits become such of 16
                let codes = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt16.self)
                for place in 0..<(count / 2) {
                    let code = codes[place]
                    codes[place] = code << (16 - depth) | code >> (2 * depth - 16)
                }
            }
        }
        return result
    }
}

/// The picture of a HEIC.
final class HEICPictures: DecodedPictures {
    private let reader: HEICReader
    private let file: ImageFile
    let damagedFrames = 0

    init(_ reader: HEICReader, _ file: ImageFile) {
        self.reader = reader
        self.file = file
    }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        let picture = try reader.picture(file.pixelFormat)
        guard (picture.width, picture.height) == (file.width, file.height) else {
            throw .damaged(file.path, "its picture has another size")
        }
        return picture
    }
}
