internal import Media

/// Why a text is no project, and where.
struct JSON5Failure: Error, Equatable {
    let position: TextPosition
    /// Without the file's name.
    let message: String
}

extension MediaError {
    /// - Parameter name: the file's.
    init(_ failure: JSON5Failure, in name: String) {
        self.init(
            code: .invalidProject, subject: "\(name):\(failure.position)",
            message: "\(name):\(failure.position): \(failure.message)")
    }
}
