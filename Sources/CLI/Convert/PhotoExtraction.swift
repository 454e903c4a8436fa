import Media
import Reading

/// Takes the photos out of live photos.
struct PhotoExtraction {
    let outputs: ConvertOutputs
    let replacesExisting: Bool

    /// Writes the photo of one input; the ending must be that of its kind.
    /// - Returns: the path, and how large the photo is (bytes).
    func extract(_ input: String) throws -> (path: String, bytes: Int) {
        guard let photo = try LivePhoto.photo(of: input) else {
            throw CommandFailure(
                .badData,
                "\(input) is no live photo: there is no film in it or beside it to part it from")
        }
        let endings = photo.starts(with: [0xFF, 0xD8]) ? ["jpg", "jpeg"] : ["heic", "heif"]
        var names = outputs.names(for: input, endings: endings)
        let replaces = names.replacesExisting
        let path = try names.making {
            try WholeFile($0, replacesExisting: replaces).write(photo)
        }.path
        return (path, photo.count)
    }
}
