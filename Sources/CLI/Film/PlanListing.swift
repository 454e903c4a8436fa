import Compose
import Media
import Writing

/// An export's plan for people and for programs.
enum PlanListing {
    /// Spans that people are shown (count).
    private static let mostSpans = 40

    /// - Parameter time: that making it takes; nil: nobody can say.
    static func text(_ plan: ExportPlan, time: MediaTime?) -> String {
        var lines = [
            "length    \(Amounts.clock(plan.range.duration, fractionDigits: 6))",
            "preset    \(plan.preset.name)",
        ]
        if !plan.isCopied { lines.append("coding    \(coding(plan))") }
        if let size = plan.size {
            let rate = plan.frameDuration > .zero ? ", \(rateText(plan.frameDuration))" : ""
            let count = plan.isCopied ? "copied" : "\(plan.frameCount) frames\(rate)"
            lines.append("video     \(size.width)x\(size.height), \(count)")
        }
        if plan.copiedFrames > 0 {
            let share = 100 * Double(plan.copiedFrames) / Double(max(1, plan.frameCount))
            lines.append(
                "copied    \(plan.copiedFrames) of \(plan.frameCount) frames "
                    + "(\(Amounts.decimal(share, 1)) %)")
        }
        if plan.audioFrameCount > 0 {
            lines.append(
                plan.copiedAudio.map { "audio     copied, track \($0.trackID) of \($0.path)" }
                    ?? "audio     \(plan.audioFrameCount) frames at \(plan.sampleRate) Hz"
                    + (plan.audioReason.map { ", encoded because \($0)" } ?? ""))
        }
        lines.append("size      about \(Amounts.bytes(plan.estimatedBytes))")
        if let time { lines.append("time      about \(Self.spoken(time)) on this machine") }
        let spans = plan.spans + plan.audioSpans
        for span in spans.prefix(mostSpans) {
            lines.append(
                "\(work(span)) \(Amounts.clock(span.range.start, fractionDigits: 6)) to "
                    + Amounts.clock(span.range.end, fractionDigits: 6)
                    + (span.reason.map { ", because \($0)" } ?? ""))
        }
        if spans.count > mostSpans {
            lines.append("and \(spans.count - mostSpans) more; --json lists all of them")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// To two places of what counts.
    private static func spoken(_ time: MediaTime) -> String {
        let seconds = time.approximateSeconds
        switch seconds {
        case ..<10: return "\(Amounts.decimal(max(0.1, seconds), 1)) s"
        case ..<120: return "\(Amounts.decimal(seconds, 0)) s"
        case ..<7200: return "\(Amounts.decimal(seconds / 60, 0)) min"
        default: return "\(Amounts.decimal(seconds / 3600, 1)) h"
        }
    }

    /// - Parameter time: that making it takes; nil: nobody can say.
    static func json(_ plan: ExportPlan, time: MediaTime?) -> JSONValue {
        .members([
            "schema": "vcap.plan/1",
            "start": .string(plan.range.start.description),
            "duration": .string(plan.range.duration.description),
            "preset": .string(plan.preset.name),
            "video_codec": videoCoding(plan).map { .string($0.codec.rawValue) },
            "audio_codec": audioCoding(plan).map { .string($0.codec.rawValue) },
            "passes": .integer(Int64(plan.passes)),
            "width": plan.size.map { .integer(Int64($0.width)) },
            "height": plan.size.map { .integer(Int64($0.height)) },
            "frames": .integer(plan.frameCount),
            "copied_frames": .integer(plan.copiedFrames),
            "frame_duration": .string(plan.frameDuration.description),
            "audio_frames": .integer(plan.audioFrameCount),
            "sample_rate": .integer(Int64(plan.sampleRate)),
            "estimated_bytes": .integer(plan.estimatedBytes),
            "expected_ms": time.map { .integer($0.ticks(per: 1000, rounding: .nearest)) },
            "digest": .string(plan.digest),
            "spans": .array(plan.spans.map(spanJSON)),
            "copied_audio": plan.copiedAudio.map {
                .members(["path": .string($0.path), "track": .integer(Int64($0.trackID))])
            },
            "audio_reason": plan.audioReason.map { .string($0) },
            "sound_spans": .array(plan.audioSpans.map(spanJSON)),
            "notes": .array(plan.notes.map { .string($0) }),
        ])
    }

    /// How frames are coded; `nil`: there are none, or they are copied.
    private static func videoCoding(_ plan: ExportPlan) -> VideoOutputSettings? {
        plan.isCopied || plan.size == nil ? nil : plan.preset.video
    }

    private static func audioCoding(_ plan: ExportPlan) -> AudioOutputSettings? {
        plan.isCopied || plan.audioFrameCount == 0 || plan.copiedAudio != nil
            ? nil : plan.preset.audio
    }

    private static func coding(_ plan: ExportPlan) -> String {
        var words: [String] = []
        if let video = videoCoding(plan), plan.frameCount > 0,
            plan.copiedFrames == plan.frameCount
        {
            words.append("\(video.codec.rawValue), copied")
        } else if let video = videoCoding(plan) {
            let rate: String? =
                switch video.rate {
                case .quality(let value): "CRF \(Amounts.decimal(value, 0))"
                case .bitrate(let bits): "\(bits / 1000) kbit/s"
                case nil: video.codec.usualQuality.map { "CRF \(Amounts.decimal($0, 0))" }
                }
            words.append(
                [
                    video.codec.rawValue, rate, plan.passes == 2 ? "in two passes" : nil,
                    video.preset, video.profile?.rawValue,
                    video.level.map { "level \($0)" },
                ].compactMap(\.self).joined(separator: " ")
            )
        }
        if let audio = audioCoding(plan) {
            words.append(
                audio.codec.rawValue + (audio.bitrate.map { " \($0 / 1000) kbit/s" } ?? ""))
        }
        return words.joined(separator: ", ")
    }

    private static func work(_ span: ExportPlan.Span) -> String {
        switch span.work {
        case .render: "render   "
        case .copy(let source, _): "copy track \(source.trackID) of \(source.path),"
        }
    }

    private static func spanJSON(_ span: ExportPlan.Span) -> JSONValue {
        let (source, from): (MediaSource?, MediaTime?) =
            switch span.work {
            case .render: (nil, nil)
            case .copy(let source, let from): (source, from)
            }
        return .members([
            "work": source == nil ? "render" : "copy",
            "start": .string(span.range.start.description),
            "duration": .string(span.range.duration.description),
            "path": source.map { .string($0.path) },
            "track": source.map { .integer($0.trackID) },
            "from": from.map { .string($0.description) },
            "reason": span.reason.map { .string($0) },
        ])
    }

    private static func rateText(_ frameDuration: MediaTime) -> String {
        let rate = frameDuration.reduced
        return rate.value == 1 ? "\(rate.timescale) fps" : "\(rate.timescale)/\(rate.value) fps"
    }
}
