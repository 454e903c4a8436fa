public import Capture
internal import LibAV
public import Media

/// The picture of a camera of a session while it runs, for people to look at: frames of a wanted size and rate, the
/// newest ones, upright; depth in colours. AVCaptureVideoPreviewLayer's place, without a layer: frames are handed over
/// and drawn by the program. Thread-safe.
///
/// It is one more listener of the camera. Frames are decoded and scaled on a thread of its own; when what takes them is
/// slow, frames are left out and counted, and no other listener notices.
public final class PreviewLayer: Sendable {
    private struct State: Sendable {
        var handler: (@Sendable (PreviewFrame) -> Void)?
        var counts = PreviewCounts()
        /// Frames in the size that is shown; `nil` where the camera's own are no larger.
        var scaled: VideoDataOutput?
        /// Maps of a depth camera, which take the place of its frames; `nil` for any other.
        var maps: VideoDataOutput?
        var cameraSize = PixelSize(0, 0)
        var isZoomed = false
        var isEnabled = true
        /// What frames of a sequence are waiting for their reader.
        var turn = 0
    }

    // immutable
    /// The box that frames are scaled into (pixels).
    public let wantedSize: PixelSize
    /// Most frames a second.
    public let maximumRate: FrameRate
    private let own = VideoDataOutput(
        wantedFormat: .yuv420p, lateFrames: .dropOldest, queueLimit: 2, role: .preview)
    // guarded by themselves
    private let state = Lock(State())
    private let colors = Lock(DepthColors())

    /// The box of a preview in a small window or a terminal (pixels).
    public static let standardSize = PixelSize(640, 480)
    /// What looks like motion and costs half of what a movie does (frames per second).
    public static let standardRate = FrameRate(15)

    /// - Parameters:
    ///   - wantedSize: the box that frames are scaled into, keeping their shape (pixels; positive; default: 640x480). A
    ///     camera's frames that fit are not made larger.
    ///   - maximumRate: most frames a second (default: 15). Under pressure it becomes a half, then a quarter, where the
    ///     session has a `PressureMonitor`.
    /// - Precondition: the size is positive.
    public init(
        wantedSize: PixelSize = PreviewLayer.standardSize,
        maximumRate: FrameRate = PreviewLayer.standardRate
    ) {
        precondition(wantedSize.width > 1 && wantedSize.height > 1, "a preview has some pixels")
        self.wantedSize = wantedSize
        self.maximumRate = maximumRate
    }

    /// Connects a camera to the layer, also in a session that runs. A camera that is connected already gets one more
    /// listener.
    /// - Parameters:
    ///   - camera: as the session has it, or will have it.
    ///   - connection: rotation and mirror; its rate is the layer's.
    ///   - session: whose frames the layer shows.
    /// - Throws: what `CaptureSession.configure` throws; then nothing has changed.
    public func add(
        _ camera: CaptureDeviceInput, _ connection: CaptureConnection = CaptureConnection(),
        to session: CaptureSession
    ) async throws {
        var limited = connection
        limited.maximumRate = maximumRate
        let (own, large) = (own, limited)
        own.setHandler { [weak self] in self?.take($0, isOwn: true) }
        try await session.configure { configuration in
            try configuration.add(camera, own, large)
        }
        let granted = await session.grant(of: camera.device)?.format.video
        if granted?.depth != nil { return try await addDepth(camera, large, to: session) }
        guard let format = own.format.video else { return }
        let cameraSize = PixelSize(format.width, format.height)
        let size = Self.size(of: format, in: wantedSize)
        state.withLock { $0.cameraSize = cameraSize }
        guard let size else { return }
        let scaled = VideoDataOutput(
            wantedFormat: .yuv420p, wantedSize: size, lateFrames: .dropOldest, queueLimit: 2,
            role: .preview)
        scaled.setHandler { [weak self] in self?.take($0, isOwn: false) }
        // the one of both that is not looked at decodes nothing
        own.setEnabled(false)
        do {
            try await session.configure { configuration in
                try configuration.add(camera, scaled, large)
            }
        } catch {
            try await session.configure { $0.remove(own) }
            throw error
        }
        state.withLock { $0.scaled = scaled }
        apply()
    }

    /// A depth camera's maps are shown in colours: as frames they would be nearly black.
    private func addDepth(
        _ camera: CaptureDeviceInput, _ connection: CaptureConnection, to session: CaptureSession
    ) async throws {
        let maps = VideoDataOutput(
            wantedFormat: .gray16le, lateFrames: .dropOldest, queueLimit: 2, role: .preview)
        let frames = own
        frames.setHandler(nil)
        maps.setHandler { [weak self] in self?.takeMap($0) }
        do {
            try await session.configure { configuration in
                configuration.remove(frames)
                try configuration.add(camera, maps, connection)
            }
        } catch {
            try await session.configure { $0.remove(frames) }
            throw error
        }
        let size = maps.format.video.map { PixelSize($0.width, $0.height) } ?? PixelSize(0, 0)
        state.withLock { ($0.maps, $0.cameraSize) = (maps, size) }
        apply()
    }

    /// Disconnects it; frames that are on their way may still come.
    public func remove(from session: CaptureSession) async throws {
        let (own, scaled, maps) = state.withLock { [own] in (own, $0.scaled, $0.maps) }
        try await session.configure { configuration in
            if let maps { return configuration.remove(maps) }
            configuration.remove(own)
            if let scaled { configuration.remove(scaled) }
        }
    }

    /// The size frames are scaled to; `nil`: they fit as they are. Even, because chroma is shared by four pixels.
    static func size(of format: VideoFormat, in box: PixelSize) -> PixelSize? {
        let shown = format.shownSize
        let fitted = shown.fitted(into: box, grows: false)
        let even = PixelSize(max(2, fitted.width / 2 * 2), max(2, fitted.height / 2 * 2))
        return even.width >= format.width && even.height >= format.height ? nil : even
    }

    // MARK: Frames

    /// Sets who gets the frames; `nil` removes it.
    /// - Parameter handler: called on the thread that decodes. What it takes long for costs the preview frames.
    public func setHandler(_ handler: (@Sendable (PreviewFrame) -> Void)?) {
        state.withLock { state in
            state.handler = handler
            state.turn += 1
        }
    }

    /// The frames from now on, of which the newest waits for the reader. It takes the handler's place.
    public func frames() -> AsyncStream<PreviewFrame> {
        let (stream, continuation) = AsyncStream<PreviewFrame>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let turn = state.withLock { state in
            state.turn += 1
            state.handler = { [weak self] frame in
                if case .dropped = continuation.yield(frame) { self?.countLate() }
            }
            return state.turn
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { if $0.turn == turn { $0.handler = nil } }
        }
        return stream
    }

    /// Size of the camera's own frames, upright (pixels); 0x0 before it is connected.
    public var cameraSize: PixelSize { state.withLock { $0.cameraSize } }

    /// What has become of the frames so far.
    public var counts: PreviewCounts { state.withLock { $0.counts } }

    /// Counts a frame that was handed over and then replaced by a newer one.
    package func countLate() { state.withLock { $0.counts.late += 1 } }

    private func take(_ event: SourceEvent, isOwn: Bool) {
        guard case .sample(let sample) = event, let pixels = sample.pixelBuffer,
            var format = sample.format.video
        else {
            return state.withLock { state in
                // one of both is always disabled, and both report what the camera does
                let isShown = isOwn == (state.scaled == nil || state.isZoomed)
                if isShown { state.counts.take(event) }
            }
        }
        let (handler, cameraSize, isZoomed) = state.withLock { state in
            state.counts.take(event)
            state.counts.shown += 1
            if isOwn { state.cameraSize = PixelSize(format.width, format.height) }
            return (state.handler, state.cameraSize, isOwn && state.isZoomed)
        }
        // what a camera leaves unsaid goes by its own size, not by the one that is shown
        let lines = max(cameraSize.height, format.height)
        format.color = format.color.filled(from: .customary(lines: lines))
        handler?(
            PreviewFrame(
                time: sample.presentationTime, pixels: pixels, format: format,
                cameraSize: cameraSize, isZoomed: isZoomed))
    }

    private func takeMap(_ event: SourceEvent) {
        guard case .sample(let sample) = event, let data = try? DepthData(sample) else {
            return state.withLock { $0.counts.take(event) }
        }
        let (handler, size, isZoomed) = state.withLock { state in
            state.counts.take(event)
            state.counts.shown += 1
            state.cameraSize = PixelSize(data.width, data.height)
            return (state.handler, state.cameraSize, state.isZoomed)
        }
        let box = isZoomed ? nil : wantedSize
        let pixels = colors.withLock { $0.picture(of: data, in: box) }
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: pixels.width, height: pixels.height,
            color: DepthColors.color)
        handler?(
            PreviewFrame(
                time: sample.presentationTime, pixels: pixels, format: format, cameraSize: size,
                isZoomed: isZoomed))
    }

    /// The distances between which the colours of a depth camera lie (m), near points being warm and bright, far ones
    /// cold and dark; `nil` for other cameras, without metres, and before the first map.
    public var shownDistances: ClosedRange<Double>? { colors.withLock { $0.distances } }

    // MARK: What is shown

    /// Whether frames are the camera's own pixels, so that sharpness can be judged (default: no).
    public var isZoomed: Bool { state.withLock { $0.isZoomed } }

    public func setZoomed(_ isZoomed: Bool) {
        state.withLock { $0.isZoomed = isZoomed }
        apply()
    }

    /// Whether frames come (default: yes). While they do not, nothing is decoded for the layer.
    public var isEnabled: Bool { state.withLock { $0.isEnabled } }

    public func setEnabled(_ isEnabled: Bool) {
        state.withLock { $0.isEnabled = isEnabled }
        apply()
    }

    private func apply() {
        let (scaled, maps, isOwn, isEnabled) = state.withLock { state in
            (state.scaled, state.maps, state.scaled == nil || state.isZoomed, state.isEnabled)
        }
        if let maps { return maps.setEnabled(isEnabled) }
        own.setEnabled(isEnabled && isOwn)
        scaled?.setEnabled(isEnabled && !isOwn)
    }
}
