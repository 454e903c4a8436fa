import Compose
import Media

/// Pictures that are written one after the other under numbered names; the first one decides about the names of all.
struct NumberedPictures {
    private var names: OutputNames
    private let replaces: Bool
    private var place: NumberedPath?
    private(set) var made: [(path: String, time: MediaTime)] = []

    /// - Parameters:
    ///   - names: with the place of a number.
    ///   - replaces: whether pictures that are there are replaced.
    init(_ names: OutputNames, replaces: Bool) {
        (self.names, self.replaces) = (names, replaces)
    }

    /// Refused before anything is made.
    mutating func check() throws {
        let replaces = replaces
        _ = try names.making { path throws in try Self.requireFree(path, replaces) }
    }

    mutating func write(_ bytes: [UInt8], of time: MediaTime) throws {
        let number = made.count + 1
        if let place {
            try WholeFile(place.path(number), replacesExisting: replaces).write(bytes)
        } else {
            let replaces = replaces
            let first = try names.making { path throws in
                try Self.requireFree(path, replaces)
                guard let numbered = NumberedPath(path) else { return }
                try WholeFile(numbered.path(1), replacesExisting: replaces).write(bytes)
            }
            place = NumberedPath(first.path)
        }
        made.append((place?.path(number) ?? "", time))
    }

    private static func requireFree(
        _ path: String, _ replaces: Bool
    ) throws(CommandFailure) {
        guard !replaces, NumberedPath(path)?.isTaken ?? false else { return }
        throw CommandFailure(
            .cannotCreate,
            "pictures are there already as \(path): choose another name, or give -y to replace them"
        )
    }

    /// For machines: where each one is, and of when.
    var json: JSONValue {
        .array(
            made.map {
                .members(["path": .string($0.path), "time": .string($0.time.description)])
            })
    }
}
