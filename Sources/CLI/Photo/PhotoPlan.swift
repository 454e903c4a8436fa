import Capture
import Media

/// What photos are to be taken, read from the options and checked as far as that needs no device.
struct PhotoPlan: Sendable {
    /// `nil`: the first real one.
    let camera: String?
    let settings: VideoInputSettings
    /// Of the depth camera.
    let depthSettings: VideoInputSettings
    let profile: CameraProfile?
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
    /// Whether it was asked for.
    private let namesQuality: Bool
    /// `nil`: photos without movies.
    let live: LivePhotoForm?
    /// What brings photos the depth of their moment; `nil`: they have none.
    let depthCamera: String?
    /// What the two cameras are where the depth is computed; `nil`: the depth camera measures it.
    let stereo: StereoWish?
    /// Of live photos; `nil`: none.
    let microphone: RecordPlan.Choice?
    /// What selectors stand for.
    private let aliases: [String: String]

    /// Movies that are played as inputs.
    var inputFiles: [String] {
        DeviceChoice.files([camera, depthCamera, microphone?.selector], aliases: aliases)
    }

    init(_ arguments: Arguments) throws(CommandFailure) {
        aliases = arguments.aliases
        camera = try arguments(StandardOptions.camera)
        let depth = try arguments(PhotoOptions.depthCamera)
        depthCamera = depth == "none" ? nil : depth
        stereo = try arguments(PhotoOptions.stereo)
        var settings = try RecordPlan.cameraSettings(arguments, copies: false)
        depthSettings = VideoInputSettings(depth: settings.depth)
        // the unit is the depth camera's
        if depthCamera != nil { settings.depth = nil }
        self.settings = settings
        profile = try CameraProfiles.wanted(arguments)
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
        namesQuality = arguments.isTyped(PhotoOptions.quality.spec)
        output = Self.counted(try arguments(PhotoOptions.output), count)
        live = try arguments(LivePhotoForm.option).flatMap(LivePhotoForm.init(rawValue:))
        let words = try arguments(PhotoOptions.microphone)
        microphone = words == "none" ? nil : words.map { .selector($0) } ?? .automatic
        if live == nil, words != nil {
            throw CommandFailure(.usage, "--mic is the microphone of live photos: give --live too")
        }
        if let live, let output, !output.hasSuffix("/"),
            [.heic, .dng].contains(PhotoFileType(path: output))
        {
            try live.check(output)
        }
        try checkDepth()
        if isFull, settings.size != nil {
            throw CommandFailure(.usage, "--full and --size exclude each other: give one")
        }
        if !bracket.isEmpty, let other = excluded(by: arguments, live) {
            throw CommandFailure(
                .usage, "--bracket and \(other) exclude each other: a bracket is a row of its own")
        }
        if interval != nil, count == 1 {
            throw CommandFailure(
                .usage, "--every is the time between photos: say with --count how many")
        }
    }

    private func checkDepth() throws(CommandFailure) {
        guard depthCamera != nil else {
            guard stereo != nil else { return }
            throw CommandFailure(
                .usage, "--stereo is of two cameras: name the right one with --depth-camera")
        }
        if stereo != nil, depthSettings.depth != nil {
            throw CommandFailure(
                .usage, "--depth is of a camera that measures depth: give --stereo a unit= instead")
        }
        if let output, !output.hasSuffix("/"), let type = PhotoFileType(path: output),
            type != .jpeg
        {
            throw CommandFailure(
                .usage,
                "the depth of a photo's moment (--depth-camera) lies in a JPEG: use .jpg for \(output)"
            )
        }
    }

    /// What a bracket cannot be with.
    private func excluded(by arguments: Arguments, _ live: LivePhotoForm?) -> String? {
        let others = [PhotoOptions.count.spec, PhotoOptions.interval.spec]
        return others.first(where: arguments.isTyped)?.name
            ?? (live != nil ? "--live" : depthCamera != nil ? "--depth-camera" : nil)
    }

    /// Several photos have numbers: of a name without a place for them behind it.
    private static func counted(_ output: String?, _ count: Int) -> String? {
        guard count > 1, let output, !output.hasSuffix("/"), !PathPattern(output).hasCounter
        else { return output }
        let ending = OutputPath.ending(of: output)
        guard !ending.isEmpty else { return output }
        return output.dropLast(ending.count + 1) + "-%v." + output.suffix(ending.count)
    }

    /// What is said where `--quality` changes nothing of the photos of a camera; `nil` where it does.
    func idleQuality(of camera: String, _ format: VideoFormat?) -> String? {
        guard namesQuality else { return nil }
        if isRaw { return "--quality does nothing: a .dng holds what the sensor gave" }
        guard format?.codec == .mjpeg, depthCamera == nil,
            output.flatMap(PhotoFileType.init(path:)) ?? .jpeg == .jpeg
        else { return nil }
        return "--quality does nothing: the photo is the JPEG that \(camera) delivers"
    }

    /// Whether the values of the sensor are wanted.
    var isRaw: Bool { output.flatMap(PhotoFileType.init(path:)) == .dng }

    /// What the camera is asked for.
    /// - Throws: `invalidSetting` where a raw photo is wanted of a camera without raw formats.
    func settings(for device: CaptureDevice) throws(MediaError) -> VideoInputSettings {
        var settings = settings.following(profile, of: device)
        if isRaw, settings.inputFormat == .automatic {
            let finest = try device.finestSensorFormat(for: isFull ? nil : settings.size)
            settings.inputFormat = .named(finest.name)
        }
        guard isFull, let largest = device.largestSize(for: settings) else { return settings }
        settings.size = largest
        return settings
    }
}

extension CaptureDevice {
    /// Of the formats of its sensor's values that come nearest to a size the one with most bits.
    /// - Parameter size: `nil`: the largest there is.
    func finestSensorFormat(for size: PixelSize?) throws(MediaError) -> VideoCaptureFormat {
        let listed = formats.compactMap(\.video)
        let raw = listed.filter { $0.bayer != nil }
        let nearest = raw.map { $0.distance(to: size) }.min()
        let reaching = raw.filter { $0.distance(to: size) == nearest }
        // of equal ones the first
        if let most = reaching.compactMap({ $0.bayer?.bits }).max(),
            let finest = reaching.first(where: { $0.bayer?.bits == most })
        {
            return finest
        }
        let names = listed.map(\.name).joined(separator: ", ")
        throw .noRawPhoto(name, names.isEmpty ? "lists no formats" : "has \(names)")
    }
}

extension VideoCaptureFormat {
    /// How far the nearest size is that it has (pixels); without a wish, larger is nearer.
    fileprivate func distance(to wanted: PixelSize?) -> Int {
        let distances = sizes.map { entry -> Int in
            guard let wanted else {
                return -entry.extent.size(nearest: PixelSize(65_535, 65_535)).area
            }
            let size = entry.extent.size(nearest: wanted)
            return abs(size.width - wanted.width) * wanted.height
                + abs(size.height - wanted.height) * wanted.width
        }
        return distances.min() ?? .max
    }
}
