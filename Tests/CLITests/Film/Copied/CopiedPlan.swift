import Foundation
import Media

/// What `vcap export --plan --json` prints, as far as the matrix looks at it.
struct CopiedPlan: Decodable {
    struct Span: Decodable {
        var work: String
        /// Times of the timeline (seconds as a fraction).
        var start: String
        var duration: String
        var reason: String?
        var path: String?
        /// Of the source, where it is copied.
        var from: String?

        var isCopied: Bool { work == "copy" }
    }

    var start: String
    var duration: String
    var frames: Int
    var copiedFrames: Int
    var frameDuration: String
    var spans: [Span]

    /// Seconds of a fraction.
    static func seconds(_ text: String) -> Double {
        let parts = text.split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : .nan
    }

    var frameSeconds: Double { Self.seconds(frameDuration) }

    /// Of which frames a span is, by number in the film.
    func frames(of span: Span) -> Range<Int> {
        func number(_ time: Double) -> Int {
            // a film that ends inside a frame has all of it
            Int(((time - Self.seconds(start)) / frameSeconds - 0.001).rounded(.up))
        }
        let begin = Self.seconds(span.start)
        return number(begin)..<max(number(begin), number(begin + Self.seconds(span.duration)))
    }
}

/// What `vcap export --json` prints, as far as the matrix looks at it.
struct CopiedReport: Decodable {
    var frames: Int
    var copiedFrames: Int
}

extension JSONDecoder {
    /// Of what this program and ffprobe print.
    static var copied: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
