import Compose
internal import Glibc
import Media

/// The title that the options of `compose` put over a film's beginning. What they do not say is a
/// template's, whose own title there gives way.
struct OpeningTitle {
    let arguments: Arguments

    func put(over timeline: inout Timeline) throws(CommandFailure) {
        let text = try arguments(ComposeOptions.title).map(TitleValue.lines)
        let changes = [
            ComposeOptions.titleStyle.spec, ComposeOptions.titleLength.spec,
            ComposeOptions.titleImage.spec,
        ].first(where: arguments.isTyped)
        guard text != nil || changes != nil else { return }
        let length = try arguments(ComposeOptions.titleLength) ?? .seconds(4)
        let opening = timeline.titles.indices.filter { timeline.titles[$0].at < length }
            .min { timeline.titles[$0].at < timeline.titles[$1].at }
        guard let words = text ?? opening.map({ timeline.titles[$0].text }) else {
            throw CommandFailure(
                .usage,
                "\(changes?.name ?? "--title") is for a title: give --title TEXT as well, or leave "
                    + "it out")
        }
        guard !words.allSatisfy(\.isWhitespace) else {
            throw CommandFailure(.usage, "--title is empty: give it a text, or leave it out")
        }
        var item = opening.map { timeline.titles[$0] } ?? TitleItem(words, duration: length)
        item.text = words
        try change(&item)
        let taken = opening.map { timeline.titles.remove(at: $0) }
        let covered = timeline.titles.filter { $0.lies(over: item) }
        timeline.titles.removeAll { $0.lies(over: item) }
        timeline.titles.insert(item, at: 0)
        for other in covered + (taken.map { $0.text == words ? [] : [$0] } ?? []) {
            let name = other.text.prefix { !$0.isNewline }.prefix(40)
            Console.shared.notice("the template's title \"\(name)\" gives way to --title")
        }
    }

    private func change(_ item: inout TitleItem) throws(CommandFailure) {
        if arguments.isTyped(ComposeOptions.titleStyle.spec),
            let style = try arguments(ComposeOptions.titleStyle)
        {
            item.style = style
        }
        if arguments.isTyped(ComposeOptions.titleLength.spec),
            let length = try arguments(ComposeOptions.titleLength)
        {
            item.duration = length
        }
        guard let image = try arguments(ComposeOptions.titleImage) else { return }
        guard access(image, R_OK) == 0 else {
            throw CommandFailure(
                .noInput,
                "cannot read the image \(image) of --title-image: "
                    + "\(String(cString: strerror(errno))); name a file that is there")
        }
        item.image = image
    }
}

extension TitleItem {
    /// Whether both are seen at one time in one place: those of some styles stand aside.
    fileprivate func lies(over other: TitleItem) -> Bool {
        let isElsewhere = style.isAside != other.style.isAside
        let ticks = { (time: MediaTime) in
            time.ticks(per: Composition.timescale, rounding: .nearest)
        }
        let (start, end) = (ticks(at), ticks(at) + ticks(duration))
        let (first, last) = (ticks(other.at), ticks(other.at) + ticks(other.duration))
        return !isElsewhere && start < last && first < end
    }
}
