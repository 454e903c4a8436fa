/// A capture PCM in ALSA's words, and where it sits when it is a card's.
///
/// `hw:1,0`, `hw:CARD=Loopback,DEV=1` and the same after `plughw:` are a card's; anything else
/// (`default`, a name of the user's configuration) is opened as it is written.
struct ALSADeviceName: Sendable, Hashable {
    /// As libasound opens it.
    let pcmName: String
    /// The card's number or id, when the name says it.
    let card: String?
    /// The device on the card.
    let device: Int

    init(_ text: String) {
        pcmName = text
        guard let colon = text.firstIndex(of: ":"),
            ["hw", "plughw"].contains(text[..<colon])
        else {
            (card, device) = (nil, 0)
            return
        }
        var card: String?
        var device = 0
        let parts = text[text.index(after: colon)...].split(separator: ",")
        for (index, part) in parts.enumerated() {
            let pair = part.split(separator: "=", maxSplits: 1)
            switch (pair.count, index) {
            case (2, _) where pair[0] == "CARD": card = String(pair[1])
            case (2, _) where pair[0] == "DEV": device = Int(pair[1]) ?? 0
            case (1, 0): card = String(part)
            case (1, 1): device = Int(part) ?? 0
            default: break  // a subdevice does not change where the node is
            }
        }
        self.card = card
        self.device = device
    }
}
