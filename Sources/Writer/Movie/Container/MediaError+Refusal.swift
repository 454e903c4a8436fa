package import Media

extension MediaError {
    package static func setting(_ field: String, _ reason: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: field,
            message: "The setting \(field) cannot be used: \(reason)")
    }

    package static func state(_ attempt: String, _ reason: String) -> MediaError {
        MediaError(
            code: .invalidState, subject: attempt, message: "Cannot \(attempt): \(reason)")
    }
}
