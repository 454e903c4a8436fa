internal import LibAV
internal import Media
internal import Reading

/// A generator as it is in a film: what makes its frames and its audio.
struct GeneratorMedia: GeneratedMedia {
    let generator: Generator
    let style: FilmStyle

    /// - Parameters:
    ///   - style: of the film.
    ///   - length: of the clip (seconds), from which a counter counts down that does not say from where.
    init(_ generator: Generator, style: FilmStyle, length: MediaTime) {
        self.style = style
        if case .counter(var counter) = generator, counter.direction == .down {
            counter.from = counter.from ?? length
            self.generator = .counter(counter)
        } else {
            self.generator = generator
        }
    }

    func frames(for target: VideoFormat) -> any GeneratedFrames {
        var format = FrameConformer.completed(target)
        (format.width, format.height) = (style.renderSize.width, style.renderSize.height)
        (format.orientation, format.pixelAspect) = (.upright, .square)
        switch generator {
        case .color(let color):
            return StillFrames(PlainColor(color: color), format, isOpaque: generator.isOpaque)
        case .gradient(let gradient):
            return StillFrames(
                GradientColors(gradient, size: style.renderSize), format,
                isOpaque: generator.isOpaque)
        case .bars(let bars):
            return StillFrames(
                BarColors(bars, size: style.renderSize), format, isOpaque: true)
        case .counter(let counter):
            return CounterFrames(
                CounterClock(counter, step: style.frameDuration), format)
        }
    }

    func audio(at frame: Int64, count: Int, sampleRate: Int) -> BlockBuffer {
        let tone: any GeneratedTone
        switch generator {
        case .bars(let bars):
            tone = SteadyTone(level: bars == .smpte ? -20 : -18, sampleRate: sampleRate)
        case .counter(let counter):
            tone = BeepTone(
                CounterClock(counter, step: style.frameDuration), sampleRate: sampleRate)
        case .color, .gradient: return BlockBuffer([UInt8](repeating: 0, count: count * 8))
        }
        return BlockBuffer(count: count * 8) { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for index in 0..<count {
                let sample = tone.sample(at: frame + Int64(index))
                (samples[2 * index], samples[2 * index + 1]) = (sample, sample)
            }
        }
    }
}

extension GeneratorMedia {
    /// What segments call it: that of a folder, for no media file can have it, which ends in its short form.
    private var path: String {
        func part(_ text: String) -> String {
            text.split(separator: "/").joined(separator: " per ")
        }
        let text = generator.projectText
        let isAll = Generator(projectText: text) == generator
        return (isAll ? "" : part(String(reflecting: generator)) + "/") + part(text) + "/"
    }

    /// The tracks: frames without an end but that of all films, and audio.
    var asset: Asset {
        let rate = FrameRate(
            style.frameDuration.timescale, per: Int32(clamping: style.frameDuration.value))
        let format = VideoFormat(
            coding: .raw(generator.isOpaque ? style.pixelFormat : .yuva444p10le),
            width: style.renderSize.width, height: style.renderSize.height, color: style.color,
            nominalRate: rate)
        let length = Composition.longestDuration
        var tracks = [
            AssetTrack(
                generated: format, timescale: Composition.timescale, duration: length,
                isStill: generator.isStill, hasAlpha: !generator.isOpaque)
        ]
        if generator.hasAudio {
            let audio = AudioFormat(
                coding: .raw(.float32), sampleRate: TimelineBuilder.audioRate, channels: 2)
            tracks.append(AssetTrack(generated: audio, duration: length))
        }
        return Asset(self, path: path, tracks: tracks)
    }
}
