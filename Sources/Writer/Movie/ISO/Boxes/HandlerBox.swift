package import Media

/// `hdlr`: what kind of track this is, and its name (ISO/IEC 14496-12, 8.4.3).
package struct HandlerBox: Box {
    package static let type: FourCC = "hdlr"
    /// QuickTime's component type (`mhlr`, `dhlr`); zero in ISO files.
    package var componentType: FourCC
    /// `vide`, `soun`, `mdir`, …
    package var handler: FourCC
    package var name: String

    package init(componentType: FourCC = .none, handler: FourCC, name: String) {
        self.componentType = componentType
        self.handler = handler
        self.name = name
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        componentType = try reader.code()
        handler = try reader.code()
        try reader.skip(min(12, reader.remaining))
        let bytes = reader.rest()
        // QuickTime counts the name's bytes in front, ISO ends it with a zero
        let isCounted = componentType != .none && bytes.first.map(Int.init) == bytes.count - 1
        let name = isCounted ? bytes[1...] : bytes.prefix { $0 != 0 }
        self.name = String(decoding: name, as: UTF8.self)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.code(componentType)
        builder.code(handler)
        builder.zeros(12)
        if componentType == .none {
            builder.text(name)
        } else {
            let bytes = Array(name.utf8.prefix(255))
            builder.u8(UInt8(bytes.count))
            builder.raw(bytes)
        }
    }
}

extension FourCC {
    package static let none = FourCC(code: 0)
}
