internal import CExpat
internal import LibAV

/// What a photo's XMP packet says about a movie and depth in the file. Source: XMP (ISO 16684-1); Google's Motion
/// Photo format 1.0 and the MicroVideo form before it; Dynamic Depth 1.0.
struct XMPReader {
    /// One thing in the file, in order: the photo first.
    struct Item: Sendable, Hashable {
        var mime = ""
        var semantic = ""
        /// Bytes; 0 where it is not stated.
        var length: Int64 = 0
        var padding: Int64 = 0
        /// Its name in Dynamic Depth's list.
        var uri = ""
    }

    /// Properties of the camera's name space, such as `MotionPhoto`.
    private(set) var camera: [String: String] = [:]
    private(set) var items: [Item] = []
    /// The same of Dynamic Depth's list.
    private(set) var depthItems: [Item] = []
    /// Properties of its depth maps, one for each camera, such as `Near`.
    private(set) var depthMaps: [[String: String]] = []
    /// What only files of vcap say of the depth, such as `DEPTH_UNIT`.
    private(set) var own: [String: String] = [:]

    /// Items of a file that are looked at (count).
    private static let mostItems = 64

    /// - Returns: nil for what is no XML, or carries a document type (XMP has none; bombs do).
    init?(_ packet: [UInt8]) {
        let listener = Listener()
        guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(bitPattern: 0x7C)) else {
            return nil
        }
        defer { XML_ParserFree(parser) }
        XML_SetUserData(parser, Unmanaged.passUnretained(listener).toOpaque())
        XML_SetElementHandler(parser, elementBegins, elementEnds)
        XML_SetCharacterDataHandler(parser, textComes)
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
            Listener.of(user)?.isRefused = true
        }
        let status = packet.withUnsafeBytes {
            XML_Parse(
                parser, $0.bindMemory(to: CChar.self).baseAddress, Int32(clamping: $0.count), 1)
        }
        guard status == XML_STATUS_OK, !listener.isRefused else { return nil }
        (camera, items) = (listener.camera, listener.items)
        (depthItems, depthMaps, own) = (listener.depthItems, listener.depthMaps, listener.own)
    }

    /// Takes what the parser finds. Names are "name space|name".
    fileprivate final class Listener {
        private static let cameraSpace = "http://ns.google.com/photos/1.0/camera/|"
        private static let itemSpace = "http://ns.google.com/photos/1.0/container/item/|"
        private static let item = "http://ns.google.com/photos/1.0/container/|Item"
        private static let depthItemSpace = "http://ns.google.com/photos/dd/1.0/item/|"
        private static let depthItem = "http://ns.google.com/photos/dd/1.0/container/|Item"
        private static let depthMapSpace = "http://ns.google.com/photos/dd/1.0/depthmap/|"
        private static let depthMap = "http://ns.google.com/photos/dd/1.0/camera/|DepthMap"
        private static let ownSpace = PhotoContainer.ownSpace + "|"

        var camera: [String: String] = [:]
        var items: [Item] = []
        var depthItems: [Item] = []
        var depthMaps: [[String: String]] = []
        var own: [String: String] = [:]
        var isRefused = false
        private var depth = 0
        private var itemDepth: Int?
        private var depthItemDepth: Int?
        private var depthMapDepth: Int?
        private var text: [UInt8] = []

        static func of(_ user: UnsafeMutableRawPointer?) -> Listener? {
            user.map { Unmanaged<Listener>.fromOpaque($0).takeUnretainedValue() }
        }

        func begin(_ name: String, _ attributes: [(String, String)]) {
            depth += 1
            text = []
            if name == Self.item, items.count < XMPReader.mostItems {
                items.append(Item())
                itemDepth = depth
            }
            if name == Self.depthItem, depthItems.count < XMPReader.mostItems {
                depthItems.append(Item())
                depthItemDepth = depth
            }
            if name == Self.depthMap, depthMaps.count < XMPReader.mostItems {
                depthMaps.append([:])
                depthMapDepth = depth
            }
            for (name, value) in attributes { take(name, value) }
        }

        func end(_ name: String) {
            if itemDepth == depth { itemDepth = nil }
            if depthItemDepth == depth { depthItemDepth = nil }
            if depthMapDepth == depth { depthMapDepth = nil }
            depth -= 1
            take(name, String(decoding: text, as: UTF8.self))
            text = []
        }

        func add(_ more: UnsafeBufferPointer<CChar>) {
            guard text.count + more.count <= 4096 else { return }
            text += more.lazy.map(UInt8.init(bitPattern:))
        }

        private func take(_ name: String, _ value: String) {
            if let word = name.word(behind: Self.cameraSpace) { camera[word] = value }
            if let word = name.word(behind: Self.ownSpace) { own[word] = value }
            if itemDepth != nil, let word = name.word(behind: Self.itemSpace) {
                items[items.count - 1].take(word, value)
            }
            if depthItemDepth != nil, let word = name.word(behind: Self.depthItemSpace) {
                depthItems[depthItems.count - 1].take(word, value)
            }
            if depthMapDepth != nil, let word = name.word(behind: Self.depthMapSpace) {
                depthMaps[depthMaps.count - 1][word] = value
            }
        }
    }
}

extension XMPReader.Item {
    fileprivate mutating func take(_ word: String, _ value: String) {
        switch word {
        case "Mime": mime = value
        case "Semantic": semantic = value
        case "Length": length = Int64(value) ?? -1
        case "Padding": padding = Int64(value) ?? -1
        case "DataURI": uri = value
        default: break
        }
    }
}

extension String {
    /// A name in a name space.
    fileprivate func word(behind space: String) -> String? {
        hasPrefix(space) ? String(dropFirst(space.count)) : nil
    }
}

nonisolated private func elementBegins(
    _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    guard let name, let listener = XMPReader.Listener.of(user) else { return }
    var found: [(String, String)] = []
    var place = attributes
    while let pair = place, let key = pair[0], let value = pair[1] {
        found.append((String(cString: key), String(cString: value)))
        place = pair + 2
    }
    listener.begin(String(cString: name), found)
}

nonisolated private func elementEnds(
    _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?
) {
    guard let name else { return }
    XMPReader.Listener.of(user)?.end(String(cString: name))
}

nonisolated private func textComes(
    _ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ count: Int32
) {
    XMPReader.Listener.of(user)?.add(UnsafeBufferPointer(start: text, count: Int(count)))
}
