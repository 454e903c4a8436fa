internal import Media

/// What an output is made by: whose words its refusals have.
enum OutputPurpose: Sendable {
    case export
    case conversion

    /// What a cancelled run leaves.
    enum Rest: Sendable {
        case nothing
        /// A part that an equal run continues with.
        case part
        /// Picture files that were complete before.
        case pictures
    }

    /// Of the threads that work for it.
    var threadName: String {
        switch self {
        case .export: "vcap-export"
        case .conversion: "vcap-convert"
        }
    }

    func hasRun(_ path: String) -> MediaError {
        let verb =
            switch self {
            case .export: "exported"
            case .conversion: "converted"
            }
        return MediaError(
            code: .invalidSetting, subject: path,
            message: "This session has \(verb) already; make another one.")
    }

    /// - Parameter input: the file that would be written over.
    func wouldDestroy(_ input: String, by path: String) -> MediaError {
        let reason =
            switch self {
            case .export: "the film is made of it"
            case .conversion: "it is what is converted"
            }
        return MediaError(
            code: .cannotCreate, subject: path,
            message: "Will not write over \(input): \(reason).")
    }

    func cancelled(_ path: String, leaving rest: Rest) -> MediaError {
        let job =
            switch self {
            case .export: "export of"
            case .conversion: "conversion to"
            }
        let left =
            switch rest {
            case .nothing: "nothing is left of it"
            case .part: "the same export continues from where it was"
            case .pictures: "pictures written before stay"
            }
        return MediaError(
            code: .cancelled, subject: path, message: "The \(job) \(path) was cancelled; \(left).")
    }
}
