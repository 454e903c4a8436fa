import Capture
import Media

/// What photos are to be taken, read from the options and checked as far as that needs no device.
struct PhotoPlan: Sendable {
    /// `nil`: the first real one.
    let camera: String?
    let settings: VideoInputSettings
    let isFull: Bool
    let connection: CaptureConnection
    let output: String?
    let replacesExisting: Bool
    let count: Int
    /// `nil`: one frame after the other.
    let interval: MediaTime?
    /// Photos of these exposures; empty: as the camera exposes.
    let bracket: [BracketedExposure]
    let timer: MediaTime?
    /// `nil`: what suits the camera.
    let warmUp: MediaTime?
    let quality: PhotoQuality
    /// `nil`: photos without movies.
    let live: LivePhotoForm?
    /// Of live photos; `nil`: none.
    let microphone: RecordPlan.Choice?

    init(_ arguments: Arguments) throws(CommandFailure) {
        camera = try arguments(StandardOptions.camera)
        settings = try RecordPlan.cameraSettings(arguments, copies: false)
        isFull = arguments.isOn(PhotoOptions.full)
        connection = try RecordPlan.connection(arguments)
        replacesExisting = arguments.isOn(PhotoOptions.replace)
        bracket = try arguments(PhotoOptions.bracket) ?? []
        count = bracket.isEmpty ? try arguments(PhotoOptions.count) ?? 1 : bracket.count
        interval = try arguments(PhotoOptions.interval)
        timer = try arguments(PhotoOptions.timer)
        warmUp = try arguments(PhotoOptions.warmUp)
        quality =
            try arguments(PhotoOptions.quality).flatMap(PhotoQuality.init(rawValue:)) ?? .balanced
        output = Self.counted(try arguments(PhotoOptions.output), count)
        live = try arguments(LivePhotoForm.option).flatMap(LivePhotoForm.init(rawValue:))
        let words = try arguments(PhotoOptions.microphone)
        microphone = words == "none" ? nil : words.map { .selector($0) } ?? .automatic
        if live == nil, words != nil {
            throw CommandFailure(.usage, "--mic is the microphone of live photos: give --live too")
        }
        if let live, let output, !output.hasSuffix("/"), PhotoFileType(path: output) == .heic {
            try live.check(output)
        }
        if isFull, settings.size != nil {
            throw CommandFailure(.usage, "--full and --size exclude each other: give one")
        }
        if !bracket.isEmpty, let other = Self.excluded(by: arguments, live) {
            throw CommandFailure(
                .usage, "--bracket and \(other) exclude each other: a bracket is a row of its own")
        }
        if interval != nil, count == 1 {
            throw CommandFailure(
                .usage, "--every is the time between photos: say with --count how many")
        }
    }

    /// What a bracket cannot be with.
    private static func excluded(by arguments: Arguments, _ live: LivePhotoForm?) -> String? {
        let others = [PhotoOptions.count.spec, PhotoOptions.interval.spec]
        return others.first(where: arguments.isTyped)?.name ?? (live == nil ? nil : "--live")
    }

    /// Several photos have numbers: of a name without a place for them behind it.
    private static func counted(_ output: String?, _ count: Int) -> String? {
        guard count > 1, let output, !output.hasSuffix("/"), !PathPattern(output).hasCounter
        else { return output }
        let ending = OutputPath.ending(of: output)
        guard !ending.isEmpty else { return output }
        return output.dropLast(ending.count + 1) + "-%v." + output.suffix(ending.count)
    }

    /// What the camera is asked for.
    func settings(for device: CaptureDevice) -> VideoInputSettings {
        guard isFull, let largest = device.largestSize else { return settings }
        var settings = settings
        settings.size = largest
        return settings
    }
}

extension CaptureDevice {
    /// The most pixels it has in any format; `nil` when it lists none.
    fileprivate var largestSize: PixelSize? {
        formats.compactMap(\.video).flatMap(\.sizes).map { size in
            switch size.extent {
            case .discrete(let size): size
            case .stepwise(_, let maximum, _): maximum
            }
        }.max { $0.width * $0.height < $1.width * $1.height }
    }
}
