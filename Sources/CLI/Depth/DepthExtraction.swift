import Compose
import Media
import Reading

/// Takes the depth out of a photo: what is wanted, and the doing.
struct DepthExtraction: Sendable {
    private let photo: String
    private let output: String
    private let replacesExisting: Bool
    /// `nil`: as it is.
    private let unit: DepthUnit?

    /// - Throws: for options of a pair, and an output that is no PNG.
    init(_ photo: String, _ arguments: Arguments) throws(CommandFailure) {
        let pair = [
            StereoOptions.left.spec, StereoOptions.right.spec, StereoOptions.baseline.spec,
            StereoOptions.focalLength.spec, StereoOptions.maximum.spec, StereoOptions.block.spec,
        ]
        if let other = pair.first(where: arguments.isTyped) {
            throw CommandFailure(
                .usage,
                "\(other.name) is about a pair of movies, and \(photo) is a photo: give one of both"
            )
        }
        guard let output = try arguments(StereoOptions.output) else {
            throw CommandFailure(.usage, "-o is missing: name the depth map with -o NAME.png")
        }
        guard OutputPath.ending(of: output) == "png" else {
            throw CommandFailure(
                .usage, "a depth map of a photo is a PNG of 16-bit grey: use .png for \(output)")
        }
        self.photo = photo
        self.output = output
        replacesExisting = arguments.isOn(StereoOptions.replace)
        unit = try arguments(StereoOptions.unit)
    }

    /// Blocks.
    func run() throws {
        var names = OutputNames(
            OutputPath(
                replacesExisting: replacesExisting, inputs: [photo], folders: .ofThisProcess,
                endings: ["png"]),
            output)
        _ = try names.next()
        guard let depth = try EmbeddedDepth.find(photo) else {
            throw CommandFailure(.badData, "\(photo) has no depth in it")
        }
        let data: DepthData
        do throws(MediaError) { data = try depth.depthData(in: unit) } catch {
            throw error.code == .invalidSetting
                ? CommandFailure(.usage, error.message) : CommandFailure(error, while: .reading)
        }
        let bytes = try data.pngData()
        let replaces = names.replacesExisting
        let path = try names.making {
            try WholeFile($0, replacesExisting: replaces).write(bytes)
        }.path
        if !depth.isExact {
            Console.shared.notice(
                "another program wrote \(photo): each distance is rounded to the nearest step (\(data.format))"
            )
        }
        if unit != nil { try warn(of: data, depth) }
        Console.shared.result(path + "\n")
    }

    /// Of points that the unit has no value for.
    private func warn(of data: DepthData, _ depth: EmbeddedDepth) throws {
        let all = try depth.depthData().steps.count { $0 > 0 }
        let lost = all - data.steps.count { $0 > 0 }
        guard lost > 0 else { return }
        Console.shared.warning(
            "\(lost) of \(Amounts.count(all, "known point")) are nearer or farther than the unit of --unit reaches: "
                + "they are unknown in \(output)")
    }
}
