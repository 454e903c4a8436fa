internal import LibAV
internal import Media

/// The pictures of an animated PNG, each by itself. Thread-bound.
///
/// Each is put together as a file of its own, for libavcodec's decoder of still ones.
final class PNGPatches: AnimationPatches {
    // immutable
    private let file: FileBytes
    private let structure: PNGStructure
    private let limits: ImageLimits
    private let shared: [UInt8]

    init(
        _ file: FileBytes, _ structure: PNGStructure, _ limits: ImageLimits
    ) throws(MediaError) {
        self.file = file
        self.structure = structure
        self.limits = limits
        var shared: [UInt8] = []
        for range in structure.shared { shared += try file.read(range, most: 1 << 16) }
        self.shared = shared
    }

    func patch(_ index: Int) throws(MediaError) -> AnimationPatch {
        let picture = structure.pictures[index]
        let (width, height) = (picture.placement.width, picture.placement.height)
        let sample = try CodedPicture.decode(
            try PNGFile.bytes(
                width: width, height: height, structure, shared: shared, data: picture.data,
                from: file, limits), .png, width: width, height: height, of: file.path)
        return AnimationPatch(
            pixels: .straight(try CodedPicture.converted(sample, to: .rgba, of: file.path)))
    }
}

/// Puts a PNG together.
enum PNGFile {
    /// - Parameters:
    ///   - shared: whole chunks.
    ///   - data: where the coded data lie in the file.
    static func bytes(
        width: Int, height: Int, _ structure: PNGStructure, shared: [UInt8],
        data: [Range<Int64>], from file: FileBytes, _ limits: ImageLimits
    ) throws(MediaError) -> [UInt8] {
        let count = data.reduce(0) { $0 + $1.count }
        guard count <= limits.codedBytes else {
            throw .overLimit(file.path, "a coded picture of \(count) bytes is")
        }
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        result.reserveCapacity(count + shared.count + 100)
        add("IHDR", big(width) + big(height) + structure.kind, to: &result)
        result += shared
        // large ones once in memory, not twice
        result += big(count) + Array("IDAT".utf8)
        let start = result.count - 4
        for range in data { result += try file.read(range) }
        result += big(Int(checksum(result[start...])))
        add("IEND", [], to: &result)
        return result
    }

    private static func add(_ name: String, _ body: [UInt8], to bytes: inout [UInt8]) {
        bytes += big(body.count)
        let start = bytes.count
        bytes += Array(name.utf8)
        bytes += body
        bytes += big(Int(checksum(bytes[start...])))
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// CRC-32 (PNG, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.withUnsafeBufferPointer { bytes in
            bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in
            sum & 1 != 0 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
        }
    }
}
