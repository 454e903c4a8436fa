import Media

/// Reads what a person wrote as JSON5.
enum JSON5File {
    /// - Parameter name: what it is, for errors: `the profile /home/…`, or a path.
    /// - Throws: what is wrong, at which line and column.
    static func parse(_ bytes: [UInt8], named name: String) throws(CommandFailure) -> JSONValue {
        do throws(JSONFailure) { return try JSONParser.parse(bytes, as: .json5) } catch {
            let place = error.position
            throw CommandFailure(
                .configuration,
                "cannot read \(name): it is not valid JSON5 at line \(place.line), "
                    + "column \(place.column): \(error.message)")
        }
    }
}
