import Capture
import Compose
import Writer

extension CommandFailure {
    /// A device's failure; the message is the room's own sentence.
    init(_ error: CaptureError) {
        let code: ExitCode =
            switch error.code {
            case .noSuchDevice, .deviceGone, .noSignal: .noDevice
            case .deviceBusy, .noBandwidth: .deviceBusy
            case .notPermitted: .notPermitted
            case .ambiguousDevice, .unsupportedFormat, .invalidSetting: .usage
            default: .failedRunning
            }
        self.init(code, error.message)
    }

    /// What a movie is being done to when it fails.
    enum MovieUse { case reading, writing }

    /// A movie's failure; the message is the room's own sentence.
    init(_ error: WriterError, while use: MovieUse) {
        let code: ExitCode =
            switch error.code {
            case .noSuchFile: use == .writing ? .cannotCreate : .noInput
            case .cannotCreate, .alreadyExists: .cannotCreate
            case .notPermitted: use == .writing ? .cannotCreate : .notPermitted
            case .diskFull, .ioError: .ioError
            case .inUse: .deviceBusy
            case .damagedFile: .badData
            case .unsupported: use == .writing ? .usage : .badData
            case .invalidSetting: .usage
            default: .failedRunning
            }
        self.init(code, error.message)
    }

    /// A film's failure; the message is the room's own sentence.
    init(_ error: ComposeError) {
        let code: ExitCode =
            switch error.code {
            case .noSuchFile: .noInput
            case .notPermitted: .notPermitted
            case .damagedFile, .unsupported, .decoderFailed, .invalidProject, .missingGlyphs,
                .invalidEdit:
                .badData
            case .invalidSetting: .usage
            case .cannotCreate, .alreadyExists: .cannotCreate
            case .inUse: .deviceBusy
            case .diskFull, .ioError: .ioError
            default: .failedRunning
            }
        self.init(code, error.message)
    }

    /// Any failure that reaches the top.
    static func from(_ error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as CaptureError: CommandFailure(error)
        case let error as WriterError: CommandFailure(error, while: .reading)
        case let error as ComposeError: CommandFailure(error)
        default: CommandFailure(.failedRunning, "\(error)")
        }
    }
}
