internal import Writer

extension WriterError {
    /// A failure of composing, with its words, for those who read a film through `AssetReader`.
    init(_ error: ComposeError) {
        let code: Code =
            switch error.code {
            case .noSuchFile: .noSuchFile
            case .notPermitted: .notPermitted
            case .damagedFile: .damagedFile
            case .unsupported: .unsupported
            case .inUse: .inUse
            case .invalidSetting, .invalidEdit: .invalidSetting
            default: .ioError
            }
        self.init(
            code: code, function: error.function, subject: error.subject, errno: error.errno,
            message: error.message)
    }
}
