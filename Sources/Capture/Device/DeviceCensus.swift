/// Which devices of a family were there at the last look, to say what has come and gone since.
///
/// A *place* is where a device sits while it is there (a node, a server's index): one that went and
/// came back between two looks has the same identity, but someone says that its place was left.
///
/// Who says so may be late: a look sees what the kernel has, udev announces it once its rules have run. So looks and
/// announcements are numbered as the kernel numbers its events, and what happened before the look that found a device
/// was not about that device.
struct DeviceCensus: Sendable {
    private struct Entry {
        var id: String
        /// What sits in a place need not be a capture device: a camera's node for metadata.
        var isDevice: Bool
        /// The kernel's number at the look that found it.
        var since: UInt64
    }

    private var entries: [String: Entry] = [:]

    /// A place was left.
    /// - Parameters:
    ///   - place: where something was.
    ///   - number: the kernel's number of that event; `.max` where events have none and come in their order.
    mutating func left(_ place: String, number: UInt64 = .max) -> [DeviceChange] {
        guard let entry = entries[place], number > entry.since else { return [] }
        entries[place] = nil
        return entry.isDevice ? [.disappeared(id: entry.id)] : []
    }

    /// A new look: what is gone, then what is new.
    /// - Parameters:
    ///   - now: the identities of all that is there, by place.
    ///   - number: the kernel's number of its newest event before the look.
    ///   - describe: asked about places that are new only; `nil` for what is no capture device.
    mutating func update(
        to now: [String: String], number: UInt64 = 0, describe: (_ place: String) -> CaptureDevice?
    ) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        for (place, entry) in entries.sorted(by: { $0.key < $1.key }) where now[place] != entry.id {
            changes += left(place)
        }
        for (place, id) in now.sorted(by: { $0.key < $1.key }) where entries[place] == nil {
            let device = describe(place)
            entries[place] = Entry(id: id, isDevice: device != nil, since: number)
            if let device { changes.append(.appeared(device)) }
        }
        return changes
    }
}
