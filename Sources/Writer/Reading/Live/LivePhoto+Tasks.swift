public import Media

// For tasks: what blocks, on a thread of its own.

extension LivePhoto {
    /// The live photo of a file, found on a thread of its own: `find(_:)` for tasks.
    /// - Returns: nil for an ordinary photo, movie or anything else.
    /// - Throws: as `find(_:)`.
    public init?(finding path: String) async throws(MediaError) {
        let found = try await NamedThread.run("vcap-photo") { () throws(MediaError) in
            try LivePhoto.find(path)
        }
        guard let found else { return nil }
        self = found
    }

    /// A photo and its movie, in either order, joined on a thread of its own: `pair(_:_:)` for tasks.
    /// - Throws: as `pair(_:_:)`.
    public init(pairing first: String, with second: String) async throws(MediaError) {
        self = try await NamedThread.run("vcap-photo") { () throws(MediaError) in
            try LivePhoto.pair(first, second)
        }
    }

    /// As `photo()`, on a thread of its own.
    public func loadPhoto() async throws(MediaError) -> [UInt8] {
        try await NamedThread.run("vcap-photo") { () throws(MediaError) in try photo() }
    }

    /// As `photo(of:)`, on a thread of its own.
    public static func loadPhoto(of path: String) async throws(MediaError) -> [UInt8]? {
        try await NamedThread.run("vcap-photo") { () throws(MediaError) in try photo(of: path) }
    }
}
