internal import Media

/// Clips and their media.
extension OTIOReader {
    func reference(of node: JSON5Node) -> JSON5Node? {
        let key = node["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"
        return node["media_reference"] ?? node["media_references"]?[key]
    }

    /// The clip, and where its media's time begins (ticks); nil: it names no file.
    mutating func clip(
        _ node: JSON5Node
    ) throws(JSON5Failure) -> (item: VideoItem, mediaStart: Int64)? {
        let name = node["name"]?.text ?? ""
        guard let path = try address(node, name) else { return nil }
        var item = VideoItem(path, name: ownName(name, path))
        if let own = node["metadata"]?["vcap"] {
            let record = try ProjectTables.video.partial(own)
            item.fit = record.choice("fit")
            item.volume = record.number("volume") ?? 1
            item.transition = ProjectReading.transition(record["transition"])
        }
        for effect in node["effects"]?.list ?? [] where isEnabled(effect) {
            apply(effect, to: &item, name)
        }
        let span = try span(node, item.speed, name)
        (item.start, item.end) = (span.start, span.end)
        return (item, span.mediaStart)
    }

    private mutating func apply(_ effect: JSON5Node, to item: inout VideoItem, _ name: String) {
        let kind = schema(effect)
        let called =
            [effect["effect_name"]?.text, effect["name"]?.text, kind]
            .compactMap { $0 }.first { !$0.isEmpty } ?? kind
        let what = "the effect \(called) of the clip \(name)"
        guard kind == "LinearTimeWarp", let scalar = effect["time_scalar"]?.number,
            (0.01...100).contains(scalar.magnitude), let speed = Speed(nearest: scalar.magnitude)
        else {
            notCarried.append("\(what): it is left out")
            return
        }
        item.speed = speed
        if scalar < 0 {
            notCarried.append("\(what): clips cannot play backwards, so it plays forwards")
        }
    }

    /// A name that is only the file's is none.
    func ownName(_ name: String, _ path: String) -> String? {
        name.isEmpty || name == OTIOAddress.name(nil, path) ? nil : name
    }

    /// What of the source is used, and at what time its media begin; the range's length is what it lasts in
    /// the track.
    mutating func span(
        _ node: JSON5Node, _ speed: Speed, _ name: String
    ) throws(JSON5Failure) -> (start: MediaTime, end: MediaTime?, mediaStart: Int64) {
        let (range, what) = (node["source_range"], "the clip \(name)")
        let told = try time(
            reference(of: node)?["available_range"]?["start_time"], "the start of \(what)'s media")
        var begin = told ?? .zero
        guard let first = try time(range?["start_time"], "the start of \(what)") else {
            return (.zero, nil, begin.timelineTicks)
        }
        if first < begin {
            // clips that begin before their media are counted from the file's beginning
            notCarried.append(
                "the start \(begin.spoken) of \(what)'s media: its range is earlier, and taken from "
                    + "the file's beginning")
            begin = .zero
        }
        let start =
            (try? first.adding(-begin)) ?? .timeline(first.timelineTicks - begin.timelineTicks)
        guard start >= .zero else {
            throw JSON5Failure(
                position: range?.position ?? node.position,
                message: "\(what) begins \((.zero - start).spoken) before its media")
        }
        guard let length = try time(range?["duration"], "the length of \(what)"), length > .zero
        else { return (start, nil, begin.timelineTicks) }
        if speed == .normal, let end = try? start.adding(length) {
            return (start, end, begin.timelineTicks)
        }
        let end = start.timelineTicks + source(length.timelineTicks, speed)
        return (start, .timeline(end), begin.timelineTicks)
    }

    func address(_ node: JSON5Node, _ name: String) throws(JSON5Failure) -> String? {
        guard let url = reference(of: node)?["target_url"], let text = url.text else { return nil }
        guard let path = OTIOAddress.path(text), !path.isEmpty else {
            throw JSON5Failure(
                position: url.position,
                message: "the clip \(JSON5Writer.quoted(String(name.prefix(40)))) is at "
                    + "\(JSON5Writer.quoted(String(text.prefix(100)))), which is no file")
        }
        return try resolve(path, url.position)
    }
}

extension Speed {
    /// The simplest fraction that is a floating point number's, nearly.
    init?(nearest value: Double) {
        for denominator in Int32(1)...1001 {
            let numerator = (value * Double(denominator)).rounded()
            guard numerator >= 1, numerator < 2e9 else { continue }
            if (numerator / Double(denominator) - value).magnitude < 1e-9 * value {
                self.init(Int32(numerator), per: denominator)
                return
            }
        }
        let millionths = (value * 1_000_000).rounded()
        guard millionths >= 1, millionths < 2e9 else { return nil }
        self.init(Int32(millionths), per: 1_000_000)
    }
}

extension ProjectTable {
    /// The keys of a record that are the table's; others are passed over.
    func partial(_ node: JSON5Node) throws(JSON5Failure) -> ProjectRecord {
        guard case .record(let members) = node.value else {
            throw JSON5Failure(position: node.position, message: "\(name) must be an object")
        }
        let table = ProjectTable(
            name: name,
            keys: keys.map { ProjectKey($0.name, $0.kind, $0.about) })
        let known = members.filter { key($0.key) != nil }
        return try table.read(JSON5Node(position: node.position, value: .record(known)))
    }
}
