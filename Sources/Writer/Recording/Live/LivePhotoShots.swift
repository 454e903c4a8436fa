internal import Media

/// What reaches the thread of a recorder of live photos.
enum LivePhotoInput: Sendable {
    case frame(SampleBuffer)
    case audio(SampleBuffer)
    /// Frames that never come (count; host clock).
    case lost(Int, at: MediaTime)
    /// The camera delivers nothing more for now.
    case cameraGone
    case microphoneGone
    case shot(LivePhotoShot)
    /// Nobody waits for the shot of this number any more.
    case forgotten(Int)
}

/// A movie that is wanted of a moment.
struct LivePhotoShot: Sendable {
    /// Of the recorder's.
    var number = 0
    /// On the host clock.
    let moment: MediaTime
    let body: @Sendable (Result<LivePhotoMovie, MediaError>) -> Void
}

/// The rings of a camera and a microphone, and the shots that wait for what comes after them. A pure value: time comes
/// with the samples.
///
/// A shot waits until both have come past its end; the microphone half a second longer than the camera at most. It
/// ends with what there is when the camera is gone.
struct LivePhotoShots: Sendable {
    /// What a movie shows before and after its moment (seconds).
    static let span = MediaTime.milliseconds(1500)
    /// Kept behind the newest sample: a movie, and the wait for a microphone.
    private static let length = span * 2 + .seconds(1)
    private static let audioTimeout = MediaTime.milliseconds(500)
    /// Most that each ring holds (bytes).
    private static let byteLimit = 64 << 20
    /// How much audio before a movie shows where its microphone's clock is (seconds).
    private static let audioLead = MediaTime.milliseconds(500)

    // immutable
    private let video: VideoFormat
    private let audio: AudioFormat?

    private var frames = SampleRing(length: length, byteLimit: byteLimit)
    private var blocks = SampleRing(length: length + audioLead, byteLimit: byteLimit)
    private var audioEnd: MediaTime?
    private var hasMicrophone: Bool
    /// Whether no frame will come for now, so that nobody waits for one.
    private var hasCamera = true
    private var lost: [(time: MediaTime, count: Int)] = []
    private var waiting: [LivePhotoShot] = []

    /// - Parameters:
    ///   - video: coded.
    ///   - audio: raw; nil without a microphone.
    init(video: VideoFormat, audio: AudioFormat?) {
        self.video = video
        self.audio = audio
        hasMicrophone = audio != nil
    }

    /// When the oldest frame that is held begins.
    var start: MediaTime? { frames.start }

    /// Takes the next coded frame.
    mutating func take(frame: SampleBuffer) {
        frames.append(frame)
        hasCamera = true
        lost.removeAll { $0.time < frame.presentationTime - Self.length }
    }

    mutating func take(audio block: SampleBuffer) {
        guard let format = block.format.audio, format.sampleRate > 0 else { return }
        hasMicrophone = true
        blocks.append(block)
        audioEnd =
            block.presentationTime
            + MediaTime(
                value: Int64(block.audioFrameCount), timescale: Int32(clamping: format.sampleRate))
    }

    mutating func lose(_ count: Int, at time: MediaTime) { lost.append((time, count)) }

    /// Nobody waits for the microphone until it delivers again.
    mutating func loseMicrophone() { hasMicrophone = false }

    mutating func ask(_ shot: LivePhotoShot) { waiting.append(shot) }

    mutating func forget(_ number: Int) { waiting.removeAll { $0.number == number } }

    /// - Returns: the shots that wait for nothing more, with their movies.
    mutating func ready() -> [(LivePhotoShot, Result<LivePhotoMovie, MediaError>)] {
        let done = waiting.filter { isComplete($0.moment + Self.span) }
        guard !done.isEmpty else { return [] }
        waiting = waiting.filter { !isComplete($0.moment + Self.span) }
        return done.map { ($0, movie($0.moment)) }
    }

    /// No frame comes any more for now.
    /// - Returns: all that wait, with what there is.
    mutating func end() -> [(LivePhotoShot, Result<LivePhotoMovie, MediaError>)] {
        hasCamera = false
        defer { waiting = [] }
        return waiting.map { ($0, movie($0.moment)) }
    }

    private func isComplete(_ end: MediaTime) -> Bool {
        guard hasCamera else { return true }
        guard let newest = frames.newest, newest >= end else { return false }
        guard hasMicrophone else { return true }
        return newest >= end + Self.audioTimeout || audioEnd.map { $0 >= end } ?? false
    }

    private func movie(_ moment: MediaTime) -> Result<LivePhotoMovie, MediaError> {
        let (start, end) = (moment - Self.span, moment + Self.span)
        let shown = LivePhotoMovie(
            frames.samples(from: start, to: end), video, moment: moment,
            audio: audio.map { ($0, blocks.samples(from: start - Self.audioLead, to: end)) },
            lost: lost)
        guard let shown else {
            return .failure(
                MediaError(
                    code: .sourceSilent, subject: "live photo",
                    message: "The camera delivered no frame for the movie of the live photo."))
        }
        return .success(shown)
    }
}
