import Media

extension CommandFailure {
    /// What was being done when it failed.
    enum Use: CaseIterable {
        /// A movie, frame or project is read, or a device is opened.
        case reading
        /// A movie is recorded, or a file written besides one.
        case writing
        /// A film is made, or a movie converted.
        case film
    }

    /// A failure of a room below; the message is its own sentence.
    init(_ error: MediaError, while use: Use) {
        self.init(ExitCode(error.code, while: use), error.message)
        if [.alreadyExists, .inUse].contains(error.code) { taken = error.subject }
    }

    /// Any failure that reaches the top.
    static func from(_ error: any Error, while use: Use) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as MediaError: CommandFailure(error, while: use)
        default: CommandFailure(.failedRunning, "\(error)")
        }
    }
}

extension ExitCode {
    init(_ code: MediaError.Code, while use: CommandFailure.Use) {
        self =
            switch code {
            case .noSuchFile: use == .writing ? .cannotCreate : .noInput
            case .notPermitted: use == .writing ? .cannotCreate : .notPermitted
            case .cannotCreate, .alreadyExists: .cannotCreate
            case .inUse, .deviceBusy, .noBandwidth: .deviceBusy
            case .diskFull, .ioError: .ioError
            // what is asked of an encoder or container is the user's word, what a file holds is not
            case .unsupported, .overLimit: use == .writing ? .usage : .badData
            case .conversionFailed, .outOfMemory: use == .writing ? .failedRunning : .badData
            case .damagedFile, .decoderFailed, .invalidEdit, .invalidProject, .missingGlyphs:
                .badData
            case .invalidSetting, .ambiguousDevice, .unsupportedFormat: .usage
            case .noSuchDevice, .deviceGone, .noSignal: .noDevice
            case .notAligned: .notAligned
            // samples that a film cannot be made of come from its files
            case .invalidState, .sourceSilent: use == .film ? .ioError : .failedRunning
            default: .failedRunning
            }
    }
}
