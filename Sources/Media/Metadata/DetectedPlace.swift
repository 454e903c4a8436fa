/// Where something lies that was detected in a frame, as metadata tracks hold it.
package struct DetectedPlace: Sendable, Hashable {
    /// Of its left edge (part of the upright frame's width).
    package let x: Double
    /// Of its upper edge (part of the upright frame's height).
    package let y: Double
    /// Parts of the upright frame's width and height.
    package let width: Double
    package let height: Double
    /// The number that it keeps from frame to frame (codes: nil).
    package let objectID: Int64?

    /// The identifier of the key that holds what is detected of a kind (`face`, `body`, `cat`, `code`), each as JSON.
    package static func identifier(of kind: String) -> String { "org.vcap.detected-\(kind)" }

    /// - Parameter json: an item of such a key: with `bounds`, or with `corners`.
    /// - Returns: nil for anything else.
    package init?(json: JSONValue) {
        objectID = json["id"]?.wholeNumber
        if let sides = json["bounds"]?.elements?.compactMap(\.number) {
            guard sides.count == 4 else { return nil }
            (x, y, width, height) = (sides[0], sides[1], sides[2], sides[3])
            return
        }
        let corners = (json["corners"]?.elements ?? []).compactMap {
            $0.elements?.compactMap(\.number)
        }
        guard corners.count == 4, corners.allSatisfy({ $0.count == 2 }) else { return nil }
        let (across, down) = (corners.map { $0[0] }, corners.map { $0[1] })
        x = across.min() ?? 0
        y = down.min() ?? 0
        width = (across.max() ?? 0) - x
        height = (down.max() ?? 0) - y
    }

    /// What a sample says of a kind; empty: nothing.
    package static func places(of kind: String, in group: TimedMetadataGroup) -> [DetectedPlace] {
        let wanted = identifier(of: kind)
        return group.items.compactMap { item in
            guard item.identifier == wanted, case .json(let text) = item.value,
                let json = try? JSONParser.parse(Array(text.utf8), as: .json)
            else { return nil }
            return DetectedPlace(json: json)
        }
    }
}
