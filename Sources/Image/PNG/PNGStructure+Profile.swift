internal import CZlib
internal import Media

extension PNGStructure {
    /// The embedded ICC profile; empty for none, or for one that cannot be unpacked.
    ///
    /// Source: PNG (ISO/IEC 15948), 11.3.3.3; zlib.
    func readProfile(_ file: FileBytes) throws(MediaError) -> [UInt8] {
        guard let profile, profile.count <= ColorProfile.most else { return [] }
        let bytes = try file.read(profile)
        // a name, an end, the method
        guard let end = bytes.prefix(80).firstIndex(of: 0), end + 2 < bytes.count else { return [] }
        let packed = Array(bytes[(end + 2)...])
        var room = 1 << 20
        while room <= ColorProfile.most {
            var unpacked = [UInt8](repeating: 0, count: room)
            var count = UInt(room)
            let result = uncompress(&unpacked, &count, packed, UInt(packed.count))
            if result == Z_OK { return Array(unpacked[..<Int(count)]) }
            guard result == Z_BUF_ERROR else { return [] }
            room *= 2
        }
        return []
    }
}
