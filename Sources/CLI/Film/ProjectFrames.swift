import Compose
import Media

/// What the command line says of the frames of a project's film, in the place of what the project does.
struct ProjectFrames {
    static let size = Option<PictureSize>(
        "s", "size", .size, "of the film", default: .described("the project's"))
    static let rate = Option<WantedRate>(
        "r", "fps", .rate, "of the film (frames per second)",
        default: .described("the project's"))
    static let fit = Option<String>(
        nil, "fit", .choice(ComposeOptions.fits.map(\.name)),
        "how a clip of another shape comes into the frame, where the clip does not say",
        default: .described("the project's"))

    static let specs = [size.spec, rate.spec, fit.spec]

    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func apply(to settings: inout TimelineSettings) throws(CommandFailure) {
        if let size = try typed(Self.size) {
            settings.renderSize = PixelSize(width: size.width, height: size.height)
        }
        if let rate = try typed(Self.rate) { settings.frameRate = try rate.ofFilms }
        if let fit = try typed(Self.fit) {
            settings.fit = ComposeOptions.fits.first { $0.name == fit }?.fit ?? settings.fit
        }
    }

    /// A variable such as VCAP_SIZE is meant for cameras, and changes no project.
    private func typed<Value>(_ option: Option<Value>) throws(CommandFailure) -> Value? {
        if case .environment? = arguments.entries[option.spec.long]?.origin { return nil }
        return try arguments(option)
    }
}

extension WantedRate {
    /// - Throws: where it is as many as there are.
    var ofFilms: FrameRate {
        get throws(CommandFailure) {
            guard case .exactly(let rate) = self else {
                throw CommandFailure(
                    .usage, "--fps max is for cameras; give a film a rate such as 30")
            }
            return rate
        }
    }
}
