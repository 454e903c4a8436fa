import Foundation
import Media
import TestSupport

/// What a film of the matrix is made of and how: values drawn by a seed.
struct CopiedEdit: CustomStringConvertible {
    struct Clip {
        let kind: CopiedKind
        let part: Int
        /// Of the clip (seconds, as they are written); nil: its own.
        var start: String?
        var end: String?
        var speed: String?
        var volume: String?
        var transition: String?
        var gap: String?
    }

    var clips: [Clip] = []
    /// When it comes and how long it stays (seconds).
    var title: ClosedRange<Double>?
    var watermark: ClosedRange<Double>?
    /// What of the film is exported (seconds).
    var range: ClosedRange<Double>?
    var ending = "mp4"

    /// - Parameters:
    ///   - kind: of the first clip.
    ///   - others: of which the following ones are drawn.
    init(of kind: CopiedKind, and others: [CopiedKind], seed: UInt64) {
        var random = SplitMix(seed: kind.name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        let count = [1, 1, 2, 2, 3].randomElement(using: &random) ?? 1
        for number in 0..<count {
            let isOwn = number == 0 || Bool.random(using: &random)
            let own = isOwn ? kind : others.randomElement(using: &random) ?? kind
            clips.append(Clip(own, isFirst: number == 0, step: kind.frameSeconds, &random))
        }
        let length = clips.reduce(0) { $0 + $1.leastSeconds }
        title = Self.span(in: length, oneOf: 3, &random)
        watermark = Self.span(in: length, oneOf: 4, &random)
        if Int.random(in: 0..<5, using: &random) == 0 {
            let start = Double.random(in: 0...0.3, using: &random) * length
            let share = Double.random(in: 0.4...0.7, using: &random)
            range = start...start + share * length
        }
        ending = ["mp4", "mp4", "mov", "mkv"].randomElement(using: &random) ?? ending
    }

    private static func span(
        in length: Double, oneOf chances: Int, _ random: inout SplitMix
    ) -> ClosedRange<Double>? {
        guard Int.random(in: 0..<chances, using: &random) == 0 else { return nil }
        let start = Double.random(in: 0...0.8, using: &random) * length
        return start...start + Double.random(in: 0.3...1.5, using: &random)
    }

    // MARK: As the program reads it

    /// The project; paths are relative to its folder.
    func project(_ clips: CopiedClips) throws -> String {
        let videos = try self.clips.map { clip in
            let words = [
                "file: \"\(try clips.clip(clip.kind, clip.part))\"",
                clip.start.map { "start: \"\($0)\"" },
                clip.end.map { "end: \"\($0)\"" }, clip.speed.map { "speed: \"\($0)\"" },
                clip.volume.map { "volume: \($0)" },
                clip.transition.map { "transition: \"\($0)\"" }, clip.gap.map { "gap: \($0)" },
            ]
            return "{ \(words.compactMap { $0 }.joined(separator: ", ")) }"
        }
        var lines = ["schema: \"vcap.film/1\"", "videos: [ \(videos.joined(separator: ", ")) ]"]
        if let title {
            let length = title.upperBound - title.lowerBound
            lines.append(
                "titles: [ { text: \"Title\", at: \(seconds(title.lowerBound)), "
                    + "duration: \(seconds(length)) } ]")
        }
        if let watermark {
            let length = watermark.upperBound - watermark.lowerBound
            lines.append(
                "watermark: { text: \"W\", at: \(seconds(watermark.lowerBound)), "
                    + "duration: \(seconds(length)) }")
        }
        return "{ \(lines.joined(separator: ", ")) }"
    }

    var options: [String] {
        guard let range else { return [] }
        return ["--range", "\(seconds(range.lowerBound))s..\(seconds(range.upperBound))s"]
    }

    private func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

    var description: String {
        let clips = clips.map { clip in
            let values = [
                clip.start.map { "from \($0)" }, clip.end.map { "to \($0)" },
                clip.speed.map { "speed \($0)" }, clip.volume.map { "volume \($0)" },
                clip.transition, clip.gap.map { "gap \($0)" },
            ]
            return ([clip.kind.file(clip.part)] + values.compactMap { $0 }).joined(separator: " ")
        }
        let rest = [
            title.map { "title \(seconds($0.lowerBound))" },
            watermark.map { "watermark \(seconds($0.lowerBound))" },
        ]
        return (clips + rest.compactMap { $0 } + options + [ending]).joined(separator: ", ")
    }
}

extension CopiedEdit.Clip {
    /// - Parameter step: a frame's length (seconds), on whose multiples most cuts lie.
    fileprivate init(
        _ kind: CopiedKind, isFirst: Bool, step: Double, _ random: inout SplitMix
    ) {
        (self.kind, part) = (kind, Int.random(in: 0...1, using: &random))
        func time(_ range: ClosedRange<Double>, _ random: inout SplitMix) -> String {
            let value = Double.random(in: range, using: &random) * CopiedClips.seconds
            guard Int.random(in: 0..<4, using: &random) > 0 else {
                return String(format: "%.3f", value)
            }
            // exactly on the grid: 1001 of 24,000
            let parts = kind.rate.split(separator: "/").compactMap { Int($0) }
            let number = Int((value / kind.frameSeconds).rounded())
            return "\(number * (parts.count > 1 ? parts[1] : 1))/\(parts.first ?? 30)"
        }
        if Int.random(in: 0..<5, using: &random) < 3 { start = time(0...0.4, &random) }
        if Int.random(in: 0..<5, using: &random) < 3 { end = time(0.6...0.98, &random) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: speed = ["2", "1/2", "3/2"].randomElement(using: &random)
        case 1: volume = ["0", "0.5", "1.5"].randomElement(using: &random)
        default: break
        }
        guard !isFirst else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
            let kinds = ["dissolve", "dissolve", "push-left", "fade"]
            let length = ["0.2", "0.4", "0.5", "1"].randomElement(using: &random) ?? "1"
            transition = "\(kinds.randomElement(using: &random) ?? "dissolve"):\(length)s"
        case 4: gap = ["0.2", "1"].randomElement(using: &random)
        default: break
        }
    }

    /// What it lasts in the film, and a little less (seconds).
    fileprivate var leastSeconds: Double {
        func value(_ text: String?, _ usual: Double) -> Double {
            let parts = (text ?? "").split(separator: "/").compactMap { Double($0) }
            return parts.isEmpty ? usual : parts[0] / (parts.count > 1 ? parts[1] : 1)
        }
        let length = value(end, CopiedClips.seconds - 1) - value(start, 0)
        return max(0.3, length / value(speed, 1) - (transition == nil ? 0 : 1))
    }
}
