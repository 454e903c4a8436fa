public import Media

/// How the video tracks of a composition are made into one frame, for every instant of it.
public struct VideoComposition: Sendable {
    /// The frame the transforms aim at (pixels; even; at most as many as 7680x4320).
    public var renderSize: PixelSize
    /// How much larger than `renderSize` frames are made (factor; 1/16…4; default 1).
    public var renderScale: Double
    /// Frame n is at n times this (seconds; positive).
    public var frameDuration: MediaTime
    /// Of the frames made.
    public var color: ColorDescription
    /// What the frames made were judged on, stated by HDR films; nil: not known.
    public var masteringDisplay: MasteringDisplay?
    /// How bright the frames made become, stated by HDR films; nil: not known.
    public var contentLight: ContentLightLevel?
    /// Of the frames made: `yuv420p` or `yuv420p10le`.
    public var pixelFormat: PixelFormat
    /// Cover the composition without holes or overlaps, in order of time.
    public var instructions: [Instruction]
    /// Titles and images over the frames; their times are timeline times, their pixels those of
    /// `renderSize`.
    public var animation: Layer?
    /// Layer trees that are tracks of their own.
    public var layerTracks: [LayerTrack]
    /// Text tracks of the composition that are drawn over everything else, the last one in front; exports have no text
    /// tracks of them (default none).
    public var burntTracks: [BurntTextTrack] = []
    /// Makes the frames; nil: the built-in compositor.
    public var compositor: (any VideoCompositor)?

    public init(
        renderSize: PixelSize, renderScale: Double = 1, frameDuration: MediaTime,
        color: ColorDescription = .bt709, pixelFormat: PixelFormat = .yuv420p,
        instructions: [Instruction] = [], animation: Layer? = nil, layerTracks: [LayerTrack] = []
    ) {
        self.renderSize = renderSize
        self.renderScale = renderScale
        self.frameDuration = frameDuration
        self.color = color
        self.pixelFormat = pixelFormat
        self.instructions = instructions
        self.animation = animation
        self.layerTracks = layerTracks
    }

    /// The size of the frames made: render size times scale, to the nearest even number.
    public var scaledSize: PixelSize {
        func even(_ length: Int) -> Int {
            max(2, Int((Double(length) * renderScale / 2).rounded()) * 2)
        }
        return PixelSize(width: even(renderSize.width), height: even(renderSize.height))
    }

    /// The instruction for an instant of the timeline; nil outside.
    public func instruction(at time: MediaTime) -> Instruction? {
        let next = instructions.partitioningIndex { $0.timeRange.start > time }
        guard next > 0, instructions[next - 1].timeRange.contains(time) else { return nil }
        return instructions[next - 1]
    }

    /// Frames that cover a length (count): the last one may last longer than the film.
    public func frameCount(for duration: MediaTime) -> Int64 {
        let dividend = Int128(duration.value) * Int128(frameDuration.timescale)
        let divisor = Int128(duration.timescale) * Int128(frameDuration.value)
        return Int64((dividend + divisor - 1) / divisor)
    }

    /// States of light what the clips do, in an HDR film.
    mutating func state(lightOf clips: [VideoFormat]) {
        var frames = format(renderSize)
        frames.state(lightOf: clips)
        (masteringDisplay, contentLight) = (frames.masteringDisplay, frames.contentLight)
    }

    /// Of frames of a size.
    /// - Parameter rate: the nominal one; nil: not stated.
    func format(_ size: PixelSize, rate: FrameRate? = nil) -> VideoFormat {
        var format = VideoFormat(
            coding: .raw(pixelFormat), width: size.width, height: size.height, color: color,
            nominalRate: rate)
        format.masteringDisplay = masteringDisplay
        format.contentLight = contentLight
        return format
    }
}
