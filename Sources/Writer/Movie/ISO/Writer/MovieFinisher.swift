internal import Media

/// Turns a fragmented movie into an ordinary one, in place: append the index, make it durable,
/// then overwrite the header of the first `moov` with that of an `mdat` that swallows everything
/// up to the index. Before the overwrite the fragments play, after it the index does; without the
/// barrier between them a power cut may keep the second and lose the first.
struct MovieFinisher {
    let barrier: Bool

    /// - Parameter headerOffset: where the first `moov` is.
    func finish(
        _ file: DurableFile, index: [UInt8], headerOffset: Int64
    ) throws(MediaError) {
        let logical = try file.append(index, usingReserve: true)
        if barrier { try file.synchronize() }
        let offset = file.physicalOffset(ofLogical: logical)
        try file.overwrite(
            MovieFinisher.header(length: offset - headerOffset), at: headerOffset)
        if barrier { try file.synchronize() }
    }

    /// The 16 bytes of a long `mdat` header.
    static func header(length: Int64) -> [UInt8] {
        var builder = BoxBuilder()
        builder.u32(1)
        builder.code("mdat")
        builder.i64(length)
        return builder.bytes
    }
}
