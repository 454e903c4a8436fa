internal import Media
internal import Movie
internal import Writing

/// A take's writer in earnest: the asset writer itself, with one input a track of the take, in their order.
extension AssetWriter: TakeWriting {
    /// Opens the encoders and creates the movie's file.
    static let makeForTake: TakeWriterMaker = { settings, plans, handler throws(MediaError) in
        var configuration = try AssetWriterConfiguration(
            outputPath: settings.outputPath, container: settings.container,
            overwrites: settings.replacesExisting,
            mode: settings.overflow == .wait ? .offline : .realTime)
        configuration.syncPolicy = settings.syncPolicy
        configuration.fragmentInterval = settings.fragmentInterval
        configuration.metadata = settings.metadata
        configuration.maximumDuration = settings.duration
        configuration.keepsFile = true
        configuration.awaitsTimeCode = settings.timeCode != nil
        if configuration.metadata.deviceNames.isEmpty {
            // a camera and what is found in its frames are one device
            let devices = plans.filter { $0.format.mediaType != .metadata }
            let others = plans.filter { plan in
                plan.format.mediaType == .metadata && !devices.contains { $0.origin == plan.origin }
            }
            configuration.metadata.deviceNames = (devices + others).map(\.origin.name)
        }
        if configuration.metadata.creationTime == nil {
            configuration.metadata.creationTime = WallClock.nanosecondsSinceEpoch()
        }
        StaleParts.remove(besides: settings.outputPath)
        let writer = try AssetWriter(configuration, onEvent: handler)
        for plan in plans { try writer.addInput(for: plan) }
        try writer.start()
        return writer
    }

    private func addInput(for plan: TrackPlan) throws(MediaError) {
        switch (plan.output, plan.format) {
        case (.video(let settings), .video(let format)):
            _ = try inputReceiver(for: settings, sourceFormat: format, name: plan.origin.name)
        case (.audio(let settings), .audio(let format)):
            _ = try inputReceiver(for: settings, sourceFormat: format, name: plan.origin.name)
        default: _ = try inputReceiver(passingThrough: plan.format, name: plan.origin.name)
        }
    }

    func load(rates: [FrameRate?]) -> WriterLoad? { WriterLoad(configuration, rates: rates) }
}
