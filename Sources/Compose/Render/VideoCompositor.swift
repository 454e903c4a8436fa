public import Media

/// Makes the frames of a film in place of the built-in compositor.
///
/// One call a frame, in order of time, from one thread at a time; different exports may call the same
/// object at once. Titles of the film are drawn over what it returns.
public protocol VideoCompositor: Sendable {
    /// A frame of the request's format.
    /// - Returns: a frame of `request.context` or of one's own, of the context's size and pixel format.
    /// - Throws: Anything; the export ends and reports it.
    func compose(_ request: CompositionRequest) throws -> PixelBuffer
}

/// What a custom compositor is asked to make.
public struct CompositionRequest: Sendable {
    /// On the timeline.
    public let time: MediaTime
    /// What the frame is made of, with its ramps.
    public let instruction: Instruction
    public let context: RenderContext
    /// Frames on show by track, decoded and not yet rotated upright.
    private let pictures: [Int: SampleBuffer]

    package init(
        time: MediaTime, instruction: Instruction, context: RenderContext,
        pictures: [Int: SampleBuffer]
    ) {
        self.time = time
        self.instruction = instruction
        self.context = context
        self.pictures = pictures
    }

    /// Tracks that have a frame at this instant, smallest number first.
    public var sourceTrackIDs: [Int] { pictures.keys.sorted() }

    /// The frame of a track, in the source's own format; nil where the track has none.
    public func sourceFrame(of trackID: Int) -> SampleBuffer? { pictures[trackID] }
}

/// What the frames of a film are like, and memory for them. Thread-safe.
public struct RenderContext: Sendable {
    /// Size, pixel format and colours of every frame.
    public let format: VideoFormat
    /// Pixels of a frame for each unit of the instructions' render area.
    public let scale: Double
    private let pool: PixelBufferPool

    package init(format: VideoFormat, scale: Double, pool: PixelBufferPool) {
        self.format = format
        self.scale = scale
        self.pool = pool
    }

    /// A frame to draw in; its old pixels are still in it.
    /// - Throws: `invalid-setting` when too many frames are held at once.
    public func makeFrame() throws(MediaError) -> PixelBuffer { try pool.makeFrame() }
}

extension PixelBufferPool {
    /// A frame of the pool, or what to do when there is none.
    package func makeFrame() throws(MediaError) -> PixelBuffer {
        do { return try makeBuffer() } catch {
            throw MediaError(
                code: .invalidSetting, subject: "the frame pool",
                message: "Cannot get memory for a frame: all \(error.limit) are in use; release "
                    + "frames, or raise the pool's limit.")
        }
    }
}
