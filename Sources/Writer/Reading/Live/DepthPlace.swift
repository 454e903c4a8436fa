internal import LibAV
internal import Media
internal import Movie

/// Where in a photo's file its depth lies, and what it says of it. Nothing is decoded.
///
/// Source: Dynamic Depth 1.0 (Container, Item, DepthMap).
struct DepthPlace: Sendable {
    let bytes: Range<Int64>
    let kind: DepthImage.Kind
    /// As the format states it.
    let range: DepthRange
    /// What only vcap's own files state, where it means the same as the range; `nil`: a stranger's, or one that a stranger
    /// has changed.
    let exactFormat: DepthFormat?

    /// Why there is none that could be read.
    enum Failure: Error {
        case broken(String)
        case unsupported(String)
        case io(IOFailure)
    }

    /// Largest depth image that is read (bytes).
    private static let largest: Int64 = 256 << 20

    /// - Parameters:
    ///   - pictureEnd: where the JPEG of the photo ends (bytes).
    /// - Returns: nil for a photo that says nothing of depth.
    init?(
        _ notes: XMPReader, _ io: any FileIO, size: Int64, pictureEnd: Int64
    ) throws(Failure) {
        guard let map = notes.depthMaps.first(where: Self.isDepth) else { return nil }
        range = try Self.range(map)
        guard let uri = map["DepthURI"], !uri.isEmpty else {
            throw .broken("it says that it holds depth but not where")
        }
        let places = notes.depthItems.indices.filter { notes.depthItems[$0].uri == uri }
        guard places.count == 1, let place = places.first, place > 0 else {
            throw .broken("its list names the depth \(places.count) times")
        }
        let item = notes.depthItems[place]
        guard let kind = DepthImage.Kind(rawValue: item.mime) else {
            throw .unsupported(
                "its depth is of the kind \(item.mime.prefix(32)), and only PNG and JPEG are read")
        }
        self.kind = kind
        bytes = try Self.find(item, at: place, notes.depthItems, kind, io, size, pictureEnd)
        exactFormat = Self.exactFormat(notes.own, range)
    }

    private static func isDepth(_ map: [String: String]) -> Bool {
        map["ItemSemantic"].map { $0.lowercased() == "depth" } ?? true
    }

    private static func range(_ map: [String: String]) throws(Failure) -> DepthRange {
        let word = map["Format"]?.lowercased()
        guard let form = DepthRange.Form.allCases.first(where: { $0.rawValue.lowercased() == word })
        else { throw .broken("it does not say how its depth is counted") }
        let units = map["Units"]?.lowercased() ?? "none"
        guard ["meters", "none"].contains(units) else {
            throw .unsupported("its depth is in \(units.prefix(32)), and metres are read")
        }
        guard let near = map["Near"].flatMap(Double.init),
            let far = map["Far"].flatMap(Double.init),
            let range = DepthRange(form, near: near, far: far, isMetric: units == "meters")
        else { throw .broken("it does not say how near and how far its depth goes") }
        return range
    }

    /// What lies behind the photo lies there in the order of the list: from the photo's end on, and, where that is
    /// followed by something that no list names, up to the file's end.
    private static func find(
        _ item: XMPReader.Item, at place: Int, _ items: [XMPReader.Item], _ kind: DepthImage.Kind,
        _ io: any FileIO, _ size: Int64, _ pictureEnd: Int64
    ) throws(Failure) -> Range<Int64> {
        func isPossible(_ item: XMPReader.Item) -> Bool { (1...size).contains(item.length) }
        guard items[1...place].allSatisfy(isPossible) else {
            throw .broken("a length in its list is no length of a file of \(size) bytes")
        }
        let before = items[1..<place].reduce(Int64(0)) { $0 + $1.length }
        // what is behind the depth, such as a film, may have been taken away
        let behind =
            items[place...].allSatisfy(isPossible)
            ? items[place...].reduce(Int64(0)) { $0 + $1.length } : size
        let padding = max(0, min(items[0].padding, size))
        let length = item.length
        guard length <= largest else { throw .unsupported("its depth is larger than 256 MiB") }
        for start in [pictureEnd + padding + before, pictureEnd + before, size - behind] {
            guard start >= pictureEnd, length <= size - start else { continue }
            let head: [UInt8]
            do throws(IOFailure) { head = try io.readAll(8, at: start) } catch { throw .io(error) }
            if kind.begins(head) { return start..<(start + length) }
        }
        throw .broken("no depth image of \(item.length) bytes lies where its list says")
    }

    private static func exactFormat(_ own: [String: String], _ range: DepthRange) -> DepthFormat? {
        guard let format = DepthFormat(tags: { own[$0] }), !format.isCalibrationUnreadable,
            DepthRange(of: format).agrees(with: range)
        else { return nil }
        return format
    }
}
