internal import Compose
internal import Media

/// Makes the frames that a player's desk asks for, on the thread that calls `run`.
final class PlayerRendering {
    // immutable
    private let engine: PlayerEngine
    // owned by the thread
    private var pictures: FilmPictures?
    private var open: PlayerQuality?
    private var damaged = 0
    private var last: Int64 = -1
    private var reported: Set<String> = []

    /// Frames that a client may hold besides the player's own (count).
    private static let lentFrames = 24

    init(_ engine: PlayerEngine) { self.engine = engine }

    /// Until the player ends, or cannot make a frame.
    func run() {
        while true {
            let (step, version) = engine.withDesk {
                ($0.rendering(at: engine.now, open: open), $0.version)
            }
            do throws(MediaError) {
                switch step {
                case .end: return
                case .wait: engine.wait(for: version, until: nil)
                case .open(let quality): try open(quality)
                case .frame(let number, let isTarget): try make(number, isTarget: isTarget)
                case .run(let last, let stride, let most, let turn):
                    try makeRun(upTo: last, stride: stride, most: most, turn: turn)
                }
            } catch {
                return engine.withDesk { $0.fail(error, at: engine.now) }
            }
        }
    }

    private func open(_ quality: PlayerQuality) throws(MediaError) {
        pictures = nil
        open = nil
        damaged = 0
        let held = engine.read(\.store.capacity) + Self.lentFrames
        let made = try FilmPictures(
            engine.item.film, size: engine.size.divided(by: quality.divisor), heldFrames: held)
        pictures = made
        open = quality
        engine.withDesk { $0.frameFormat = made.format }
    }

    private func make(_ number: Int64, isTarget: Bool = false) throws(MediaError) {
        guard let pictures, let open else { return }
        let begin = engine.now
        let frame = try pictures.picture(at: engine.item.times.time(ofFrame: number))
        let isNext = number > last && number <= last + Self.nearFrames
        let took = isNext ? engine.now - begin : nil
        last = number
        let more = pictures.damagedFrames - damaged
        damaged += more
        engine.withDesk { desk in
            desk.keep(frame, as: number, quality: open, took: took, isTarget: isTarget)
            desk.counts.damaged += more
        }
        if more > 0 { engine.reportDamage(pictures.damage, &reported) }
    }

    /// Frames from the last sync sample on, each GOP once where so many may be kept.
    private func makeRun(
        upTo last: Int64, stride: Int64, most: Int64, turn: Int
    ) throws(MediaError) {
        guard let pictures else { return }
        let times = engine.item.times
        var first = last - (min(most, Self.unknownRun) - 1) * stride
        if let sync = try pictures.syncTime(before: times.time(ofFrame: last)) {
            first = times.frame(at: sync)
            if times.time(ofFrame: first) < sync { first += 1 }
        }
        let least = max(0, last - (most - 1) * stride)
        var number = last - max(0, last - max(first, least)) / stride * stride
        while number <= last {
            let (isWanted, isThere) = engine.read { desk in
                (desk.renderTurn == turn && !desk.isStopped, desk.store.contains(number))
            }
            guard isWanted else { return }
            if !isThere { try make(number) }
            number += stride
        }
    }

    /// A frame so little further on is decoded without a search (count).
    private static let nearFrames: Int64 = 12
    /// Frames at once where nothing is decoded in order (count).
    private static let unknownRun: Int64 = 8
}

extension PlayerEngine {
    /// Reports each file's damage once.
    func reportDamage(_ sentences: [String], _ reported: inout Set<String>) {
        for sentence in sentences {
            // the sentence counts; the file's name comes first
            let file = sentence.components(before: " is damaged") ?? sentence
            guard reported.insert(file).inserted else { continue }
            withDesk { $0.report(.damaged(sentence)) }
        }
    }
}

extension String {
    fileprivate func components(before mark: String) -> String? {
        firstRange(of: mark).map { String(self[..<$0.lowerBound]) }
    }
}
