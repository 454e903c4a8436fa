import Compose
import Detect
import Media
import Reading

/// Looks for codes, faces and so on in a movie, or lists those that were found while it was recorded.
struct DetectCommand: Sendable {
    let plan: DetectPlan
    let aliases: [String: String]

    func run() async throws {
        switch plan.subject {
        case .camera(let selector):
            try await LiveDetection(plan: plan, selector: selector, aliases: aliases).run()
        case .frames(let path):
            // first: without the file no library is wanted
            let asset = try await Asset(loading: path)
            for sentence in asset.unfinished(becoming: "looked at")
                + asset.incompleteness(becoming: "looked at")
            {
                Console.shared.warning(sentence)
            }
            let detector = try plan.detector()
            let printer = try await NamedThread.run("vcap-detect") {
                try frames(of: asset, detector)
            }
            summarize(printer)
        case .recorded(let path):
            _ = try await NamedThread.run("vcap-detect") { try recorded(in: path) }
        }
    }

    func summarize(_ printer: DetectionPrinter) {
        Console.shared.notice(
            "\(Amounts.count(printer.frames, "frame")) looked at, "
                + "\(printer.framesThatShow) with \(DetectedKinds.words(for: plan.wanted))")
    }

    // MARK: Frames

    /// Threads that decode (count).
    private static let decodingThreads = 2

    private func frames(
        of asset: Asset, _ detector: FrameDetectors
    ) throws -> DetectionPrinter {
        guard let track = asset.tracks(of: .video).first(where: { $0.format != nil }) else {
            throw CommandFailure(.badData, "\(asset.path) has no video track that vcap can read")
        }
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(nil), threads: Self.decodingThreads)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        defer { reader.cancel() }
        var printer = DetectionPrinter(writesJSON: plan.writesJSON)
        var due = MediaTime.zero
        while !Console.shared.hasLostResults, let sample = try output.next() {
            guard sample.presentationTime >= due || plan.rate == nil else { continue }
            if let rate = plan.rate {
                // on the grid of the rate, however uneven the frames are
                while due <= sample.presentationTime { due = due + rate.frameDuration }
            }
            let found = try detector.found(in: sample)
            let line = printer.take(
                .init(
                    time: sample.presentationTime, size: sample.format.video?.uprightSides,
                    found: found))
            if let line { Console.shared.result(line) }
        }
        if let damage = asset.damage(
            frames: output.damagedSamples, isStill: track.isStill)
        {
            Console.shared.warning(damage)
        }
        return printer
    }

    // MARK: Recorded

    private func recorded(in path: String) throws -> DetectionPrinter {
        let asset = try Asset.load(path)
        let tracks = asset.tracks(of: .metadata).filter {
            $0.format?.metadata.map {
                MachineReadableCode.areIn($0) || DetectedObject.areIn($0)
            } ?? false
        }
        guard !tracks.isEmpty else {
            throw CommandFailure(
                .badData,
                "\(path) has no track of what was found while it was recorded: leave out --recorded "
                    + "to look at its frames")
        }
        let size = asset.tracks(of: .video).first?.format?.video?.uprightSides
        var found: [DetectionPrinter.Frame] = []
        for track in tracks {
            let output = try AssetReaderTrackOutput(
                asset: asset, track: track, settings: .metadata)
            let reader = AssetReader()
            try reader.add(output)
            try reader.start()
            defer { reader.cancel() }
            while let sample = try output.next() {
                guard let group = sample.metadata else { continue }
                let all: [any MetadataObject] =
                    MachineReadableCode.codes(in: group) + DetectedObject.objects(in: group)
                found.append(
                    .init(
                        time: group.start, duration: group.duration, size: size,
                        track: track.id,
                        found: all.filter { plan.kinds?.contains($0.type) ?? true }))
            }
        }
        var printer = DetectionPrinter(writesJSON: plan.writesJSON)
        for frame in found.sorted(by: { $0.time < $1.time }) {
            if let line = printer.take(frame) { Console.shared.result(line) }
        }
        return printer
    }
}

extension VideoFormat {
    /// Of the upright frame, in the pixels that are stored.
    var uprightSides: PixelSize {
        orientation.swapsAxes ? PixelSize(height, width) : PixelSize(width, height)
    }
}
