internal import LibAV
internal import Media
internal import Reading
internal import Writing

/// How long an export will take on this machine as busy as it is: a few of its frames and a little of its audio are made
/// and thrown away, each kind of work by itself. Blocks for about a second at most.
struct ExportTrial {
    /// Places of the film that are tried (count), and frames at each.
    private static let places = 3
    private static let framesEach = 12
    /// Of coders that take long for one.
    private static let slowFramesEach = 8
    /// When no further place is tried, and no further frame of one (seconds).
    private static let enough = 0.7
    private static let enoughEach = 0.4
    /// Samples that are read to see what copying costs (count).
    private static let copiedSamples = 120
    /// What a disk is taken to write (byte/s): how fast it is cannot be seen without writing.
    private static let diskRate = 200e6
    /// Audio that is tried, each part of a second by itself: the middle one counts (seconds).
    private static let audioParts = 5

    let film: Film
    let plan: ExportPlan
    let settings: ExportSettings
    let clock: any MediaClock

    /// - Returns: (seconds); nil where the writer converts frames before it encodes them.
    func expectedTime() throws(MediaError) -> MediaTime? {
        if let format = ExportInputs.format(plan, film)?.pixelFormat,
            let codec = plan.preset.video?.codec, codec.encodableFormat(for: format) != format
        {
            return nil
        }
        let shelf = SourceShelf(film.assets)
        var seconds = Double(plan.estimatedBytes) / Self.diskRate
        if !plan.isCopied {
            seconds += try encoding(shelf) + copying(shelf) + mixing(shelf)
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }

    private func time(_ work: () throws(MediaError) -> Void) throws(MediaError) -> Double {
        let begin = clock.now()
        try work()
        return (clock.now() - begin).approximateSeconds
    }

    // MARK: Frames

    /// Frames that are rendered and encoded, in order.
    private var encodedRuns: [Range<Int64>] {
        guard let smart = plan.smart else {
            return plan.frameCount > 0 ? [0..<plan.frameCount] : []
        }
        return smart.runs.filter { !$0.isCopied }.map(\.frames)
    }

    private func encoding(_ shelf: SourceShelf) throws(MediaError) -> Double {
        let runs = encodedRuns
        let count = runs.reduce(0) { $0 + $1.count }
        guard count > 0, let format = ExportInputs.format(plan, film), let video = plan.preset.video
        else { return 0 }
        let renderer = try FilmRenderer(
            film, format: format, threads: settings.threads, shelf: shelf)
        let coding = VideoEncoderSettings(video, lowLatency: false)
        var (openings, frames): ([Double], [Double]) = ([], [])
        var spent = 0.0
        let most = video.codec == .h264 ? Self.framesEach : Self.slowFramesEach
        for place in Self.tried(of: runs, most) where spent < Self.enough {
            let trial = try tried(place, renderer, coding, format)
            openings.append(trial.opening)
            frames.append(trial.each)
            spent += trial.opening + trial.each * Double(place.count)
        }
        let each = frames.reduce(0, +) / Double(max(1, frames.count))
        let opening = openings.reduce(0, +) / Double(max(1, openings.count))
        return Double(plan.passes) * (each * Double(count) + opening * Double(runs.count))
    }

    /// In the middle of each part of all encoded frames.
    private static func tried(of runs: [Range<Int64>], _ framesEach: Int) -> [Range<Int64>] {
        let count = Int64(runs.reduce(0) { $0 + $1.count })
        var found: [Range<Int64>] = []
        for place in 0..<places {
            var into = count * Int64(2 * place + 1) / Int64(2 * places)
            for run in runs {
                guard into >= run.count else {
                    let first = max(
                        run.lowerBound,
                        min(run.lowerBound + into, run.upperBound - Int64(framesEach)))
                    let range = first..<min(run.upperBound, first + Int64(framesEach))
                    if found.last != range { found.append(range) }
                    break
                }
                into -= Int64(run.count)
            }
        }
        return found
    }

    /// What going to a place takes, and each of its frames (seconds).
    private func tried(
        _ place: Range<Int64>, _ renderer: FilmRenderer, _ coding: VideoEncoderSettings,
        _ format: VideoFormat
    ) throws(MediaError) -> (opening: Double, each: Double) {
        var encoder: VideoEncoder?
        func make(_ number: Int64) throws(MediaError) {
            let picture = try renderer.picture(at: plan.times.time(ofFrame: number))
            _ = try encoder?.encode(
                SampleBuffer(
                    payload: .pixels(picture), format: .video(format),
                    presentationTime: plan.frameDuration * number))
        }
        let opening = try time { () throws(MediaError) in
            encoder = try VideoEncoder(settings: coding, input: format)
            try make(place.lowerBound)
        }
        var (made, spent) = (1, 0.0)
        for number in place.dropFirst() where spent < Self.enoughEach {
            spent += try time { () throws(MediaError) in try make(number) }
            made += 1
        }
        spent += try time { () throws(MediaError) in _ = try encoder?.finish() }
        // coders that look ahead have not begun with the first when they take it
        return (opening, made > 1 ? spent / Double(made) : opening + spent)
    }

    // MARK: Samples

    private func copying(_ shelf: SourceShelf) throws(MediaError) -> Double {
        guard let smart = plan.smart, let run = smart.runs.first(where: \.isCopied),
            case .copy(let source, let place, _, _) = run.work
        else { return 0 }
        let (asset, track) = try shelf.track(source)
        guard let index = try asset.codedIndex(of: track) else { return 0 }
        let count = min(Self.copiedSamples, run.frames.count)
        let reader = try CodedReader(asset, track, index)
        let spent = try time { () throws(MediaError) in
            try reader.seek(to: place)
            for _ in 0..<count { _ = try reader.next() }
        }
        return spent / Double(count) * Double(plan.copiedFrames)
    }

    // MARK: Audio

    /// A mix that is measured is read more than once.
    private var readings: Double {
        let mix = film.audioMix
        return 1 + (mix.levels.isEmpty && mix.ducking.isEmpty ? 0 : 1)
            + (mix.loudness == nil ? 0 : 2)
    }

    private func mixing(_ shelf: SourceShelf) throws(MediaError) -> Double {
        guard plan.audioFrameCount > 0, plan.copiedAudio == nil else { return 0 }
        var plain = film
        (plain.audioMix.levels, plain.audioMix.ducking, plain.audioMix.loudness) = ([], [], nil)
        let mix = try plain.sound(
            sampleRate: plan.sampleRate, codedAs: plan.preset.audio, shelf: shelf)
        let format = AudioFormat(coding: .raw(.float32), sampleRate: plan.sampleRate, channels: 2)
        let second = Int64(plan.sampleRate)
        let parts = max(1, min(Int64(Self.audioParts), plan.audioFrameCount / second))
        let count = min(plan.audioFrameCount, second)
        let first = plan.times.firstAudioFrame + (plan.audioFrameCount - parts * count) / 2
        let audio = plan.preset.audio
        let encoder = try AudioEncoder(
            settings: AudioEncoderSettings(codec: audio.codec, bitrate: audio.bitrate),
            input: format)
        // the first of it opens the files
        var block = try mix.read(from: first, count: 1)
        var costs: [Double] = []
        for part in 0..<parts {
            let mixing = try time { () throws(MediaError) in
                block = try mix.read(from: first + part * count, count: Int(count))
            }
            let encoding = try time { () throws(MediaError) in
                _ = try encoder.encode(
                    SampleBuffer(
                        payload: .audio(block), format: .audio(format), presentationTime: .zero))
            }
            costs.append(mixing * readings + encoding)
        }
        // one that had to wait for something else says nothing of the others
        return costs.sorted()[costs.count / 2] * Double(plan.audioFrameCount) / Double(count)
    }
}
