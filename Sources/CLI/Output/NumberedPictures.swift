import Compose
import Media

/// Pictures that are written one after the other under numbered names; the first one decides about the names of all.
struct NumberedPictures {
    private var names: OutputNames
    private let replaces: Bool
    private let count: Int
    private var place: NumberedPath?
    private(set) var made: [(path: String, time: MediaTime)] = []

    /// - Parameters:
    ///   - names: with the place of a number.
    ///   - count: of the pictures.
    ///   - replaces: whether pictures that are there are replaced.
    init(_ names: OutputNames, count: Int, replaces: Bool) {
        (self.names, self.count, self.replaces) = (names, count, replaces)
    }

    /// Refused before anything is made.
    mutating func check() throws {
        let (names, count, replaces) = (names, count, replaces)
        _ = try self.names.making { path throws in
            _ = try Self.place(path, names, count, replaces)
        }
    }

    mutating func write(_ bytes: [UInt8], of time: MediaTime) throws {
        let path: String
        if let place {
            path = place.path(made.count + 1)
            try WholeFile(path, replacesExisting: replaces).write(bytes)
        } else {
            let (names, count, replaces) = (names, count, replaces)
            let place = try self.names.making { path throws in
                let place = try Self.place(path, names, count, replaces)
                try WholeFile(place.path(1), replacesExisting: replaces).write(bytes)
                return place
            }.result
            self.place = place
            path = place.path(1)
        }
        made.append((path, time))
    }

    /// What is there when the others cannot be made.
    /// - Parameter wanted: count.
    func sayMade(of wanted: Int) {
        guard let last = made.last else { return }
        Console.shared.warning(
            "\(made.count) of \(Amounts.count(Int64(wanted), "picture")) had been written before, up to \(last.path)"
        )
    }

    /// Where all of them may be written: none is there, or each may be replaced and is nothing that is read.
    private static func place(
        _ path: String, _ names: OutputNames, _ count: Int, _ replaces: Bool
    ) throws(CommandFailure) -> NumberedPath {
        guard let place = NumberedPath(path) else {
            throw CommandFailure(
                .usage,
                "the name \(path) has no place for a number: write %% for a per cent sign, and %02d once in the "
                    + "file's name")
        }
        if !replaces, place.isTaken {
            throw CommandFailure(
                .cannotCreate,
                "pictures are there already as \(path): choose another name, or give -y to replace them"
            )
        }
        for number in 1...max(1, count) { try names.requireReplaceable(place.path(number)) }
        return place
    }

    /// For machines: where each one is, and of when.
    var json: JSONValue {
        .array(
            made.map {
                .members(["path": .string($0.path), "time": .string($0.time.description)])
            })
    }
}
