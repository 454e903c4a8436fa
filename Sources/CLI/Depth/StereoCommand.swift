import Compose
import Detect
import Media
import Movie
import Reading
import Writing

/// Computes the depth of two movies of a stereo pair, from the first frame to the movie that holds it.
struct StereoCommand: Sendable {
    let plan: StereoPlan

    private static let decodingThreads = 2

    /// A task that is cancelled leaves nothing.
    func run() async throws {
        guard OutputContainer(path: plan.output)?.holdsDepth == true else {
            throw CommandFailure(
                .usage, "a depth track is kept in .mkv, losslessly: name the output with .mkv")
        }
        let left = try await Asset(loading: plan.left)
        let right = try await Asset(loading: plan.right)
        for asset in [left, right] { try Self.warn(of: asset) }
        let matcher: StereoMatcher
        do throws(MediaError) { matcher = try StereoMatcher(plan.settings) } catch {
            throw CommandFailure.noDetector(error)
        }
        var names = OutputNames(
            OutputPath(
                replacesExisting: plan.replacesExisting, inputs: [plan.left, plan.right],
                folders: .ofThisProcess, endings: ["mkv"]),
            plan.output)
        var path = try names.next()
        let made: (frames: Int, unknown: Int, pairs: StereoPairs)
        while true {
            do {
                made = try await write(
                    left, right, matcher, to: path, replaces: names.replacesExisting)
                break
            } catch {
                try names.goPast(path, after: error)
                path = try names.next()
            }
        }
        let (frames, unknown, pairs) = made
        if pairs.unpaired > 0 {
            Console.shared.warning(
                "\(Amounts.count(pairs.unpaired, "frame")) of \(plan.left) left out: \(plan.right) has none of "
                    + "the same moment")
        }
        if pairs.damaged > 0 {
            Console.shared.warning(
                "\(Amounts.count(pairs.damaged, "frame")) of \(plan.left) left out: it or the other is damaged"
            )
        }
        if unknown > 0 {
            Console.shared.warning(
                "\(unknown) of \(Amounts.count(frames, "frame")) know no distance: all is too near or too far"
                    + (plan.unit == nil ? "" : " for --unit")
                    + ", or the two movies are no rectified pair")
        }
        Console.shared.notice("\(path): \(Amounts.count(frames, "frame")) of depth")
        Console.shared.result(path + "\n")
    }

    private static func warn(of asset: Asset) throws {
        for sentence in asset.unfinished(becoming: "matched")
            + asset.incompleteness(becoming: "matched")
        {
            Console.shared.warning(sentence)
        }
    }

    private func write(
        _ left: Asset, _ right: Asset, _ matcher: StereoMatcher, to path: String, replaces: Bool
    ) async throws -> (frames: Int, unknown: Int, pairs: StereoPairs) {
        let conversion = try plan.unit.map { unit throws(MediaError) in
            try DepthConversion(from: matcher.format, to: unit)
        }
        // one movie of both cameras: its first track is the left one, its second the right one
        let isOne = OutputPath.isSame(plan.left, plan.right)
        let (track, samples) = try Self.frames(of: left, track: 0)
        let other = try Self.frames(of: right, track: isOne ? 1 : 0)
        var pairs = StereoPairs(
            left: samples, right: other.samples, frame: track.commonestFrameDuration)
        guard var pair = try await pairs.next() else { throw nothingInCommon }
        let first = try await depth(pair, matcher, conversion)
        var format = VideoFormat(
            coding: .raw(.gray16le), width: first.width, height: first.height,
            nominalRate: track.format?.video?.nominalRate)
        format.depth = first.format
        let output = try TemporaryOutput(path: path, overwrites: replaces)
        let writer = try writer(to: output.temporaryPath)
        do {
            let receiver = try writer.inputReceiver(
                for: VideoOutputSettings(codec: .ffv1), sourceFormat: format, name: "Depth")
            try await writer.startWriting()
            try output.begin(writer.file?.keepLock())
            try writer.startSession(atSourceTime: .zero)
            var (count, unknown, map) = (0, 0, first)
            while true {
                try Task.checkCancellation()
                try await receiver.append(
                    SampleBuffer(
                        payload: .pixels(map.map), format: .video(format),
                        presentationTime: pair.left.presentationTime,
                        duration: pair.left.duration))
                count += 1
                if !map.knowsAnyDistance { unknown += 1 }
                guard let next = try await pairs.next() else { break }
                (pair, map) = (next, try await depth(next, matcher, conversion))
                guard (map.width, map.height) == (first.width, first.height) else {
                    throw CommandFailure(
                        .badData, "\(plan.left) has frames of several sizes, which are no pair")
                }
            }
            receiver.finish()
            let end = pair.left.presentationTime + (pair.left.duration ?? .milliseconds(33))
            try writer.endSession(atSourceTime: end)
            _ = try await writer.finish()
            try output.complete()
            return (count, unknown, pairs)
        } catch {
            await writer.cancel()
            output.discard()
            throw (error as? MediaError).map(output.named) ?? error
        }
    }

    /// Where there is no frame to match, there is nothing to write.
    private var nothingInCommon: CommandFailure {
        CommandFailure(.badData, "\(plan.left) and \(plan.right) have no frame of the same moment")
    }

    private func writer(to path: String) throws(MediaError) -> AssetWriter {
        var configuration = try AssetWriterConfiguration(
            outputPath: path, container: .matroska, overwrites: true, mode: .offline)
        configuration.rescuesFile = false  // the output does
        configuration.metadata.software = "vcap \(Verbs.versionNumber)"
        return try AssetWriter(configuration)
    }

    private func depth(
        _ pair: (left: SampleBuffer, right: SampleBuffer), _ matcher: StereoMatcher,
        _ conversion: DepthConversion?
    ) async throws(MediaError) -> DepthData {
        try await NamedThread.run("vcap-stereo") { () throws(MediaError) in
            let data = try matcher.depth(left: pair.left, right: pair.right)
            return conversion.map { $0.convert(data) } ?? data
        }
    }

    /// - Parameter number: of the tracks that show light (from 0).
    private static func frames(
        of asset: Asset, track number: Int
    ) throws -> (track: AssetTrack, samples: AssetReader.Samples) {
        let tracks = asset.tracks(of: .video).filter {
            $0.format?.video.map { $0.depth == nil } ?? false
        }
        guard number < tracks.count else {
            throw CommandFailure(
                .badData,
                number == 0
                    ? "\(asset.path) has no video track that vcap can read"
                    : "\(asset.path) is named for both cameras and has one video track: name a movie of two, or two "
                        + "movies")
        }
        let track = tracks[number]
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(nil), threads: decodingThreads)
        let reader = AssetReader()
        try reader.add(output)
        return (track, reader.samples(of: output))
    }
}
