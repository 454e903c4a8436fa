/// Which devices of a family were there at the last look, to say what has come and gone since.
///
/// A *place* is where a device sits while it is there (a node, a server's index): one that went and
/// came back between two looks has the same identity, but someone says that its place was left.
struct DeviceCensus: Sendable {
    private struct Entry {
        var id: String
        /// What sits in a place need not be a capture device: a camera's node for metadata.
        var isDevice: Bool
    }

    private var entries: [String: Entry] = [:]

    /// A place was left.
    mutating func left(_ place: String) -> [DeviceChange] {
        guard let entry = entries.removeValue(forKey: place), entry.isDevice else { return [] }
        return [.disappeared(id: entry.id)]
    }

    /// A new look: what is gone, then what is new.
    /// - Parameters:
    ///   - now: the identities of all that is there, by place.
    ///   - describe: asked about places that are new only; `nil` for what is no capture device.
    mutating func update(
        to now: [String: String], describe: (_ place: String) -> CaptureDevice?
    ) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        for (place, entry) in entries.sorted(by: { $0.key < $1.key }) where now[place] != entry.id {
            changes += left(place)
        }
        for (place, id) in now.sorted(by: { $0.key < $1.key }) where entries[place] == nil {
            let device = describe(place)
            entries[place] = Entry(id: id, isDevice: device != nil)
            if let device { changes.append(.appeared(device)) }
        }
        return changes
    }
}
