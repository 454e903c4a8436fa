internal import Media

/// Makes a timeline of OpenTimelineIO's JSON: the first track of pictures, its transitions and speeds,
/// tracks of sound, markers as chapters. What a timeline has no room for goes into a list.
struct OTIOReader {
    let resolve: (String, TextPosition) throws(JSON5Failure) -> String
    private(set) var timeline = Timeline()
    private(set) var notCarried: [String] = []

    init(resolve: @escaping (String, TextPosition) throws(JSON5Failure) -> String) {
        self.resolve = resolve
    }

    mutating func read(_ root: JSON5Node) throws(JSON5Failure) {
        guard schema(root) == "Timeline", let stack = root["tracks"] else {
            throw JSON5Failure(
                position: root.position, message: "this is no timeline of OpenTimelineIO")
        }
        if let own = root["metadata"]?["vcap"] {
            var reading = ProjectReading(resolve: resolve)
            timeline = try reading.timeline(try ProjectTables.project.read(own))
        }
        if timeline.settings.title == nil, let name = root["name"]?.text, !name.isEmpty,
            root["metadata"]?["vcap"] == nil
        {
            timeline.settings.title = name
        }
        var hasPictures = false
        for (index, track) in (stack["children"]?.list ?? []).enumerated() {
            let name = "track \(index + 1) (\(track["name"]?.text ?? ""))"
            guard schema(track) == "Track" else {
                notCarried.append("\(name): it is a \(schema(track)), not a track")
                continue
            }
            readMarkers(track)
            if track["kind"]?.text == "Video" {
                if hasPictures {
                    notCarried.append("\(name): a timeline has one track of pictures")
                } else {
                    try readPictures(track)
                }
                hasPictures = true
            } else {
                try readSounds(track, name)
            }
        }
        readMarkers(stack)
        timeline.chapters.sort { $0.time < $1.time }
    }

    private func schema(_ node: JSON5Node) -> String {
        String((node["OTIO_SCHEMA"]?.text ?? "thing").prefix { $0 != "." })
    }

    private mutating func readMarkers(_ node: JSON5Node) {
        for marker in node["markers"]?.list ?? [] {
            guard let time = OTIOTime.time(marker["marked_range"]?["start_time"]), time >= .zero
            else { continue }
            timeline.chapters.append(Chapter(marker["name"]?.text ?? "", at: time))
        }
    }

    private mutating func readPictures(_ track: JSON5Node) throws(JSON5Failure) {
        var pending: (back: MediaTime, on: MediaTime, isDissolve: Bool)?
        for child in track["children"]?.list ?? [] {
            switch schema(child) {
            case "Clip":
                guard var item = try clip(child) else { continue }
                if let over = pending, !timeline.videos.isEmpty {
                    // each clip reaches over the cut by its own offset
                    let last = timeline.videos.count - 1
                    let speed = timeline.videos[last].speed
                    timeline.videos[last].end = timeline.videos[last].end.map {
                        .timeline($0.timelineTicks + source(over.on, speed))
                    }
                    item.start = .timeline(
                        max(0, item.start.timelineTicks - source(over.back, item.speed)))
                    if item.transition.kind == .cut || over.isDissolve {
                        item.transition = .dissolve(.zero)
                    }
                    item.transition.duration = .timeline(
                        over.back.timelineTicks + over.on.timelineTicks)
                } else {
                    item.transition = .cut
                }
                pending = nil
                timeline.videos.append(item)
            case "Transition":
                guard let back = OTIOTime.time(child["in_offset"]), back >= .zero,
                    let on = OTIOTime.time(child["out_offset"]), on >= .zero,
                    back.timelineTicks + on.timelineTicks > 0
                else { continue }
                pending = (back, on, child["transition_type"]?.text == "SMPTE_Dissolve")
            case "Gap":
                let length = OTIOTime.time(child["source_range"]?["duration"]) ?? .zero
                if length > .zero {
                    notCarried.append(
                        "a gap of \(length.spoken) after clip \(timeline.videos.count): it is closed"
                    )
                }
            case let other:
                notCarried.append("a \(other) after clip \(timeline.videos.count): it is left out")
            }
        }
    }

    private func source(_ time: MediaTime, _ speed: Speed) -> Int64 {
        Int64(
            Int128(time.timelineTicks) * Int128(speed.numerator) / Int128(speed.denominator))
    }

    private mutating func clip(_ node: JSON5Node) throws(JSON5Failure) -> VideoItem? {
        let name = node["name"]?.text ?? ""
        guard let path = try address(node, name) else { return nil }
        var item = VideoItem(path, name: ownName(name, path))
        if let own = node["metadata"]?["vcap"] {
            let record = try ProjectTables.video.partial(own)
            item.fit = record.choice("fit")
            item.volume = record.number("volume") ?? 1
            item.transition = ProjectReading.transition(record["transition"])
        }
        for effect in node["effects"]?.list ?? [] {
            guard schema(effect) == "LinearTimeWarp",
                let scalar = effect["time_scalar"]?.number, (0.01...100).contains(scalar),
                let speed = Speed(nearest: scalar)
            else {
                let kind = effect["effect_name"]?.text ?? schema(effect)
                notCarried.append("the effect \(kind) of the clip \(name): it is left out")
                continue
            }
            item.speed = speed
        }
        (item.start, item.end) = span(node, item.speed)
        return item
    }

    /// A name that is only the file's is none.
    private func ownName(_ name: String, _ path: String) -> String? {
        name.isEmpty || name == OTIOAddress.name(nil, path) ? nil : name
    }

    /// What of the source is used; the range's length is what it lasts in the track.
    private func span(_ node: JSON5Node, _ speed: Speed) -> (MediaTime, MediaTime?) {
        let range = node["source_range"]
        guard let start = OTIOTime.time(range?["start_time"]), start >= .zero else {
            return (.zero, nil)
        }
        guard let length = OTIOTime.time(range?["duration"]), length > .zero else {
            return (start, nil)
        }
        if speed == .normal, let end = try? start.adding(length) { return (start, end) }
        return (start, .timeline(start.timelineTicks + source(length, speed)))
    }

    private mutating func address(
        _ node: JSON5Node, _ name: String
    ) throws(JSON5Failure) -> String? {
        let key = node["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"
        let reference = node["media_reference"] ?? node["media_references"]?[key]
        guard let url = reference?["target_url"], let text = url.text else {
            notCarried.append("the clip \(name): it names no file")
            return nil
        }
        guard let path = OTIOAddress.path(text), !path.isEmpty else {
            throw JSON5Failure(
                position: url.position,
                message: "the clip \(JSON5Writer.quoted(String(name.prefix(40)))) is at "
                    + "\(JSON5Writer.quoted(String(text.prefix(100)))), which is no file")
        }
        return try resolve(path, url.position)
    }

    private mutating func readSounds(
        _ track: JSON5Node, _ name: String
    ) throws(JSON5Failure) {
        var ticks: Int64 = 0
        for child in track["children"]?.list ?? [] {
            let length =
                OTIOTime.time(child["source_range"]?["duration"]).map(\.timelineTicks)
            switch schema(child) {
            case "Gap": ticks += length ?? 0
            case "Transition":
                notCarried.append("a transition in \(name): sounds do not cross over there")
            case "Clip":
                try readSound(child, at: ticks)
                guard let length else {
                    notCarried.append(
                        "what comes after the clip \(child["name"]?.text ?? "") in \(name): the clip "
                            + "does not tell its length")
                    return
                }
                ticks += length
            case let other: notCarried.append("a \(other) in \(name): it is left out")
            }
        }
    }

    private mutating func readSound(_ node: JSON5Node, at ticks: Int64) throws(JSON5Failure) {
        let name = node["name"]?.text ?? ""
        guard let path = try address(node, name) else { return }
        let (start, end) = span(node, .normal)
        let own = node["metadata"]?["vcap"]
        // the sound of a clip, as other programs write it, comes with its pictures
        if own == nil, timeline.videos.contains(where: { $0.path == path }) { return }
        let table = ProjectTables.sound(loops: true)
        let record = try own.map { node throws(JSON5Failure) in try table.partial(node) }
        var item = ProjectReading.sound(record, path: path)
        item.name = ownName(name, path)
        (item.at, item.start, item.end) = (.timeline(ticks), start, end)
        if own?["kind"]?.text == "music" {
            timeline.music.append(item)
        } else {
            item.loops = false
            timeline.voiceOvers.append(item)
        }
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
