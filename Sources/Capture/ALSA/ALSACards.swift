internal import Media

/// The sound cards present and their capture devices, as /proc/asound lists them: readable without
/// permission on the cards, and without opening anything.
struct ALSACards: Sendable, Equatable {
    struct Card: Sendable, Equatable {
        /// Changes with the order of plugging.
        var number: Int
        /// The card's id: what `hw:CARD=` takes. Stays, but for two cards of one kind.
        var id: String
        /// What a person calls it.
        var name: String
        var driver: String
        /// udev's links to the card.
        var links = DeviceLinks()
    }

    /// One PCM that records.
    struct CaptureDevice: Sendable, Equatable {
        var card: Card
        var device: Int
        /// What a person calls it.
        var name: String

        /// Stable where the hardware allows: by the card's serial number, then by its port. The id
        /// that the kernel gives a card distinguishes two of one kind by who was there first.
        var id: String {
            let card = card.links.identity(under: ALSACards.linkRoot) ?? "hw:CARD=\(card.id)"
            return "alsa:\(card),DEV=\(device)"
        }
        var node: String { "/dev/snd/pcmC\(card.number)D\(device)c" }
        var pcmName: String { "hw:\(card.number),\(device)" }
    }

    var cards: [Card]
    var captureDevices: [CaptureDevice]

    /// Where udev puts its links to cards.
    static let linkRoot = "/dev/snd"

    /// Parses /proc/asound/cards and /proc/asound/pcm.
    /// - Parameter links: by a card's control node.
    init(cards text: String, pcms: String, links: [String: DeviceLinks] = [:]) {
        cards = Self.parseCards(text).map { card in
            var card = card
            card.links = links["\(Self.linkRoot)/controlC\(card.number)"] ?? DeviceLinks()
            return card
        }
        captureDevices = []
        for line in pcms.split(separator: "\n") {
            if let found = Self.parsePCM(line, cards: cards) { captureDevices.append(found) }
        }
    }

    /// A card by number or id.
    func card(named name: String) -> Card? {
        cards.first { String($0.number) == name || $0.id == name }
    }

    /// ` 0 [Loopback       ]: Loopback - Loopback`, then a line with the long name.
    private static func parseCards(_ text: String) -> [Card] {
        text.split(separator: "\n").compactMap { line in
            guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"),
                open < close, let number = Int(trimmed(line[..<open]))
            else { return nil }
            let rest = line[line.index(after: close)...].drop { $0 == ":" || $0 == " " }
            let dash = rest.firstRange(of: " - ")
            return Card(
                number: number, id: trimmed(line[line.index(after: open)..<close]),
                name: trimmed(dash.map { rest[$0.upperBound...] } ?? rest),
                driver: trimmed(dash.map { rest[..<$0.lowerBound] } ?? rest))
        }
    }

    /// `00-01: Loopback PCM : Loopback PCM : playback 8 : capture 8`.
    private static func parsePCM(_ line: Substring, cards: [Card]) -> CaptureDevice? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let numbers = line[..<colon].split(separator: "-").compactMap { Int($0) }
        let fields = line[line.index(after: colon)...].split(separator: ":").map(trimmed)
        guard numbers.count == 2, fields.contains(where: { $0.hasPrefix("capture ") }),
            let card = cards.first(where: { $0.number == numbers[0] }), let first = fields.first
        else { return nil }
        let several = fields.count > 1 && !fields[1].isEmpty ? fields[1] : first
        let name = several.hasPrefix(card.name) ? several : "\(card.name) \(several)"
        return CaptureDevice(card: card, device: numbers[1], name: name)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension ALSACards {
    /// The cards present now; none when the kernel has no audio.
    static func present() -> ALSACards {
        let controls = UdevDevice.present(in: "sound").filter {
            $0.node.hasPrefix("\(linkRoot)/controlC")
        }
        return ALSACards(
            cards: SmallTextFile.read("/proc/asound/cards") ?? "",
            pcms: SmallTextFile.read("/proc/asound/pcm") ?? "",
            links: DeviceLinks.byNode(of: controls, under: linkRoot))
    }
}
