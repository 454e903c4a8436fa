package import Media

/// `esds`: the configuration of an MPEG-4 stream (ISO/IEC 14496-14, 5.6; descriptors of 14496-1).
package struct ElementaryStreamBox: Box {
    package static let type: FourCC = "esds"
    package static let aac: UInt8 = 0x40
    package static let jpeg: UInt8 = 0x6C

    /// What is coded (table 5 of 14496-1).
    package var objectType: UInt8
    package var isAudio: Bool
    /// The decoder's own configuration, such as AudioSpecificConfig.
    package var configuration: [UInt8]

    package init(objectType: UInt8, isAudio: Bool, configuration: [UInt8]) {
        self.objectType = objectType
        self.isAudio = isAudio
        self.configuration = configuration
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        (objectType, isAudio, configuration) = (0, true, [])
        while reader.remaining > 0 {
            let (tag, length) = try ElementaryStreamBox.header(&reader)
            switch tag {
            case 3:  // the stream: look inside
                try reader.skip(2)
                let flags = try reader.u8()
                if flags & 0x80 != 0 { try reader.skip(2) }
                if flags & 0x40 != 0 { try reader.skip(Int(try reader.u8())) }
                if flags & 0x20 != 0 { try reader.skip(2) }
            case 4:  // the decoder: look inside
                objectType = try reader.u8()
                isAudio = try reader.u8() >> 2 == 5
                try reader.skip(11)
            case 5: configuration = try reader.raw(min(length, reader.remaining))
            default: try reader.skip(min(length, reader.remaining))
            }
        }
    }

    private static func header(
        _ reader: inout BoxReader
    ) throws(MediaError) -> (UInt8, Int) {
        let tag = try reader.u8()
        var length = 0
        for _ in 0..<4 {
            let byte = try reader.u8()
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return (tag, length)
    }

    package func write(to builder: inout BoxBuilder) {
        let specific = configuration.isEmpty ? 0 : 5 + configuration.count
        func header(_ tag: UInt8, _ length: Int) {
            builder.u8(tag)
            for shift in [21, 14, 7] { builder.u8(UInt8(length >> shift & 0x7F) | 0x80) }
            builder.u8(UInt8(length & 0x7F))
        }
        builder.full(0, 0)
        header(3, 3 + 5 + 13 + specific + 6)
        builder.u16(0)  // stream number 0, as files do
        builder.u8(0)
        header(4, 13 + specific)
        builder.u8(objectType)
        builder.u8((isAudio ? 5 : 4) << 2 | 1)
        builder.zeros(3 + 4 + 4)  // buffer and bit rates: not known while recording
        if !configuration.isEmpty {
            header(5, configuration.count)
            builder.raw(configuration)
        }
        header(6, 1)
        builder.u8(2)  // a stream in an MP4 file
    }
}
