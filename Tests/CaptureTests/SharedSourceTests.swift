import Capture
import Media
import Testing

/// A source that a test speaks for.
private final class SpokenSource: SampleSource {
    let origin = SourceOrigin(identifier: "spoken:", name: "Spoken", driver: "test")
    let format = FormatDescription.video(
        VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16))
    private struct Listener: Sendable {
        var handler: (@Sendable (SourceEvent) -> Void)?
    }

    private let listener = Lock(Listener())

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        listener.withLock { $0.handler = handler }
    }

    var hasHandler: Bool { listener.withLock { $0.handler != nil } }

    func say(_ second: Int64) {
        let drop = SampleDrop(cause: .late, count: 1, time: .seconds(second))
        listener.withLock { $0 }.handler?(.dropped(drop))
    }
}

private final class Notes: Sendable {
    private let seconds = Lock<[Double]>([])

    var handler: @Sendable (SourceEvent) -> Void {
        { event in
            guard case .dropped(let drop) = event else { return }
            self.seconds.withLock { $0.append(drop.time.approximateSeconds) }
        }
    }

    var all: [Double] { seconds.withLock { $0 } }
}

@Test("an output has several handlers, which come and go, and branches that are sources themselves")
func severalHandlers() throws {
    let source = SpokenSource()
    let notes = (0..<3).map { _ in Notes() }
    do {
        let shared = SharedSource(source)
        let first = shared.addHandler(notes[0].handler)
        source.say(1)
        let branch = shared.branch()
        #expect(branch.format == source.format && branch.origin == source.origin)
        branch.setHandler(notes[2].handler)
        do {
            let second = shared.addHandler(notes[1].handler)
            source.say(2)
            withExtendedLifetime(second) {}
        }
        source.say(3)
        first.remove()
        source.say(4)
        branch.setHandler(nil)
        source.say(5)
        withExtendedLifetime(first) {}
    }
    #expect(notes.map(\.all) == [[1, 2, 3], [2], [2, 3, 4]])
    #expect(!source.hasHandler, "the source's handler is given back")
}

@Test("a shared source that is released leaves the one that was made after it alone")
func replacedSharedSource() throws {
    let source = SpokenSource()
    let (old, new) = (Notes(), Notes())
    var first: SharedSource? = SharedSource(source)
    var kept = first?.addHandler(old.handler)
    source.say(1)
    var second: SharedSource? = SharedSource(source)
    let heard = try #require(second).addHandler(new.handler)
    source.say(2)
    (first, kept) = (nil, nil)
    source.say(3)
    #expect(old.all == [1] && new.all == [2, 3])
    heard.remove()
    withExtendedLifetime((first, kept, second, heard)) {}
    second = nil
}

@Test("shared sources that come and go on many threads leave the last one its handler")
func manySharedSources() async {
    let source = SpokenSource()
    for _ in 0..<50 {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = SharedSource(source) } }
        }
        #expect(!source.hasHandler)
        let notes = Notes()
        let last = SharedSource(source)
        let heard = last.addHandler(notes.handler)
        source.say(1)
        #expect(notes.all == [1])
        withExtendedLifetime(heard) {}
    }
}
