import Capture
import Detect
import Media

/// What depth is to be computed of a recording's first two cameras while they are recorded.
struct StereoWish: Sendable, Equatable {
    let settings: StereoMatcher.Settings
    /// `nil`: as it is computed.
    var unit: DepthUnit?

    /// - Throws: where what matches is not installed.
    func output(_ filter: DepthFilter.Settings?) throws(CommandFailure) -> StereoDepthOutput {
        do throws(MediaError) {
            return try StereoDepthOutput(settings, unit: unit, filter: filter)
        } catch {
            throw error.code == .invalidSetting
                ? CommandFailure(.usage, error.message) : .noDetector(error)
        }
    }

    /// Why pairs have no depth that could not be matched; `nil` where all could.
    static func failure(of output: StereoDepthOutput) -> String? {
        guard let failure = output.lastFailure else { return nil }
        return "\(Amounts.count(output.counts.failed, "pair")) of frames could not be matched: "
            + failure.message
    }
}
