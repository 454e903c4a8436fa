import Media
import TestSupport

@testable import Movie
@testable import Writing

/// A container that notes what it is asked for, can stand still and can fail. Its record is
/// thread-safe; the container itself is the writing thread's.
final class ScriptedContainer: ContainerWriter {
    /// A call, in words.
    enum Call: Equatable {
        case addTrack(MediaType)
        case begin
        case sample(track: Int, time: MediaTime)
        case annotate(MovieAnnotation)
        case flush
        case update(track: Int)
        case finish
        case abandon
        /// The file was removed.
        case remove
    }

    final class Record: Sendable {
        struct State {
            var calls: [Call] = []
            var durations: [MediaTime?] = []
            var isStopped = false
            var failsAtSample: Int?
            var failsAtFinish = false
        }

        let state = BlockingLock(State())

        var calls: [Call] { state.withLock { $0.calls } }
        var samples: [(track: Int, time: MediaTime)] {
            calls.compactMap {
                if case .sample(let track, let time) = $0 { (track, time) } else { nil }
            }
        }

        /// Nothing more is written until `goOn`, as by a disk that hangs.
        func stop() { state.withLock { $0.isStopped = true } }
        func goOn() { state.withLock { $0.isStopped = false } }

        func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

        /// Whether something is noted, now or soon.
        func comes(_ call: Call) -> Bool { waitUntil { calls.contains(call) } }
    }

    private let record: Record
    private var tracks = 0

    init(_ record: Record) { self.record = record }

    static func choice(
        _ record: Record, creating: MediaError? = nil, repair: String? = nil
    ) -> ContainerChoice {
        var choice = ContainerChoice(
            make: { _ throws(MediaError) in
                if let creating { throw creating }
                return ScriptedContainer(record)
            }, remove: { record.note(.remove) })
        choice.repair = repair
        return choice
    }

    func addTrack(_ track: ContainerTrack) -> Int {
        record.note(.addTrack(track.format.mediaType))
        tracks += 1
        return tracks - 1
    }

    func begin(_ metadata: MovieMetadata) { record.note(.begin) }

    func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        record.state.wait { $0.isStopped ? nil : () }
        let fails = record.state.withLock { state -> Bool in
            state.calls.append(.sample(track: track, time: sample.presentationTime))
            state.durations.append(sample.duration)
            return state.failsAtSample.map { $0 <= state.durations.count } ?? false
        }
        if fails {
            throw MediaError(code: .ioError, subject: "a.mp4", message: "The disk has gone.")
        }
    }

    func annotate(_ annotation: MovieAnnotation) { record.note(.annotate(annotation)) }
    func flush() { record.note(.flush) }
    func update(format: FormatDescription, ofTrack track: Int) {
        record.note(.update(track: track))
    }

    func finish() throws(MediaError) -> ContainerSummary {
        record.note(.finish)
        if record.state.withLock({ $0.failsAtFinish }) {
            throw MediaError(code: .diskFull, subject: "a.mp4", message: "The disk is full.")
        }
        return ContainerSummary(tracks: [], duration: .zero, fileBytes: 77)
    }

    func abandon() { record.note(.abandon) }
}

/// Coded frames and audio that nobody decodes, of any size.
enum Coded {
    static let video = FormatDescription.video(
        VideoFormat(coding: .coded(.mjpeg), width: 64, height: 48, nominalRate: FrameRate(30)))
    static let predicted = FormatDescription.video(
        VideoFormat(
            coding: .coded(.h264), width: 64, height: 48,
            codecConfiguration: CodedTake.avcConfiguration))
    static let audio = FormatDescription.audio(
        AudioFormat(
            coding: .coded(.aac), sampleRate: 48_000, channels: 2,
            codecConfiguration: [0x11, 0x90], framesPerPacket: 1024))

    static func sample(
        _ format: FormatDescription, at milliseconds: Int64, bytes: Int = 100, isSync: Bool = true
    ) -> SampleBuffer {
        SampleBuffer(
            payload: .coded(BlockBuffer([UInt8](repeating: 1, count: bytes))), format: format,
            presentationTime: .milliseconds(milliseconds), isSync: isSync)
    }

    static func packet(_ number: Int64) -> SampleBuffer {
        SampleBuffer(
            payload: .coded(BlockBuffer([7])), format: audio,
            presentationTime: MediaTime(value: number * 1024, timescale: 48_000),
            duration: MediaTime(value: 1024, timescale: 48_000))
    }
}

/// What a writer reported, in order.
final class ReportedEvents: Sendable {
    private let events = BlockingLock<[AssetWriterEvent]>([])

    func note(_ event: AssetWriterEvent) { events.withLock { $0.append(event) } }

    var all: [AssetWriterEvent] { events.withLock { $0 } }
    var drops: [SampleDrop] {
        all.compactMap { if case .dropped(_, let drop) = $0 { drop } else { nil } }
    }
    var failures: [MediaError] {
        all.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }
    var misuses: [String] {
        all.compactMap { if case .misused(_, let message) = $0 { message } else { nil } }
    }
}
