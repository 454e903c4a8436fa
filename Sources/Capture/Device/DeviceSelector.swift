package import Media

/// A person's words for a device, matched against those present.
package struct DeviceSelector: Sendable {
    package let text: String
    package let kind: MediaType

    package init(text: String, kind: MediaType) {
        self.text = text
        self.kind = kind
    }

    /// The one device meant. Exact meanings (number, path, identity, alias, whole name) come
    /// before parts of a name.
    package func choose(
        from present: [CaptureDevice]
    ) throws(MediaError) -> CaptureDevice {
        if let number = Int(text), text.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard present.indices.contains(number) else { throw nothingFits(present: present) }
            return present[number]
        }
        let exact = present.filter { device in
            device.node == text || device.id == text || device.aliases.contains(text)
        }
        if let only = try single(exact) { return only }
        let wanted = text.lowercased()
        if let only = try single(present.filter { $0.name.lowercased() == wanted }) { return only }
        let partial = present.filter { $0.name.lowercased().contains(wanted) }
        if !wanted.isEmpty, let only = try single(partial) { return only }
        throw nothingFits(present: present)
    }

    private func single(
        _ candidates: [CaptureDevice]
    ) throws(MediaError) -> CaptureDevice? {
        guard candidates.count > 1 else { return candidates.first }
        throw ambiguous(candidates)
    }

    /// Several devices are meant.
    func ambiguous(_ candidates: [CaptureDevice]) -> MediaError {
        MediaError(
            code: .ambiguousDevice, subject: text,
            message: "\"\(text)\" means more than one \(word): \(Self.list(candidates)); "
                + "use a number, path or identity.")
    }

    package func nothingFits(present: [CaptureDevice]) -> MediaError {
        let rest =
            present.isEmpty
            ? "none is present; plug one in" : "present are \(Self.list(present))"
        return MediaError(
            code: .noSuchDevice, subject: text,
            message: "There is no \(word) \"\(text)\"; \(rest).")
    }

    private var word: String { kind == .video ? "camera" : "microphone" }

    private static func list(_ devices: [CaptureDevice]) -> String {
        devices.map { device in
            "\(device.name) (\(device.node ?? device.id))"
        }.joined(separator: ", ")
    }
}
