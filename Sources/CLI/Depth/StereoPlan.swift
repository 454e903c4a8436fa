import Detect
import Media

/// What depth is to be computed of, read from the options and checked as far as that needs no file.
struct StereoPlan: Sendable {
    let left: String
    let right: String
    let output: String
    let replacesExisting: Bool
    let settings: StereoMatcher.Settings
    /// `nil`: as it is computed.
    let unit: DepthUnit?

    init(_ arguments: Arguments) throws(CommandFailure) {
        left = try Self.required(arguments, StereoOptions.left)
        right = try Self.required(arguments, StereoOptions.right)
        output = try Self.required(arguments, StereoOptions.output)
        replacesExisting = arguments.isOn(StereoOptions.replace)
        unit = try arguments(StereoOptions.unit)
        settings = StereoMatcher.Settings(
            calibration: DepthCalibration(
                focalLength: try Self.required(arguments, StereoOptions.focalLength),
                baseline: try Self.required(arguments, StereoOptions.baseline)),
            maximumDisparity: try arguments(StereoOptions.maximum) ?? 64,
            blockSize: try arguments(StereoOptions.block) ?? 5)
        do throws(MediaError) { try settings.validate() } catch {
            throw CommandFailure(.usage, error.message)
        }
    }

    private static func required<Value>(
        _ arguments: Arguments, _ option: Option<Value>
    ) throws(CommandFailure) -> Value {
        guard let value = try arguments(option) else {
            throw CommandFailure(
                .usage,
                "\(option.spec.name) is missing: \(option.spec.summary); see vcap help depth")
        }
        return value
    }
}
