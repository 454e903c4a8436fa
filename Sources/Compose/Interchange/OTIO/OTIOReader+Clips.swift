internal import Media

/// Clips and their media.
extension OTIOReader {
    func reference(of node: JSONValue) -> JSONValue? {
        let key = node["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"
        return node["media_reference"] ?? node["media_references"]?[key]
    }

    /// The clip, and where its media's time begins (ticks); nil: it names no file.
    mutating func clip(
        _ node: JSONValue
    ) throws(JSONFailure) -> (item: VideoItem, mediaStart: Int64)? {
        let name = node["name"]?.text ?? ""
        var item: VideoItem
        if let generated = try generated(node, name) {
            item = generated
        } else if let pictures = try sequence(node, name) {
            item = pictures
        } else {
            guard let path = try address(node, name) else { return nil }
            item = VideoItem(path, name: ownName(name, path))
        }
        if let own = node["metadata"]?["vcap"] {
            var reader = ProjectReader(resolve: resolve)
            try ProjectTables.video.read(own, only: OTIOWriter.clipKeys, into: &item, &reader)
            // an effect that is not understood would show what it hides
            let known = Set(OTIOWriter.clipKeys + OTIOWriter.rampKeys)
            for member in own.members ?? [] where !known.contains(member.key) {
                notCarried.append(
                    "\(member.key.prefix(40)) of the clip \(name): no key of vcap's own metadata of clips, so it is left out"
                )
            }
            // one whose speed changes says at what speed it begins
            if own["speed"] != nil { return try ramped(item, own, node, name) }
        }
        var isFrozen = false
        for effect in item.generator == nil ? [] : node["effects"]?.elements ?? [] {
            let called = effect["effect_name"]?.text ?? schema(effect)
            notCarried.append(
                "the effect \(called) of the clip \(name): it is generated, and left out")
        }
        for effect in item.generator != nil ? [] : node["effects"]?.elements ?? []
        where isEnabled(effect) {
            if schema(effect) == "FreezeFrame" || effect["time_scalar"]?.number == 0 {
                isFrozen = true
            } else {
                apply(effect, to: &item, name)
            }
        }
        // files of before said it only where it was another than the usual one
        if !isFrozen, item.isRamped, let own = node["metadata"]?["vcap"] {
            (item.speed, item.isReversed) = (.normal, false)
            return try ramped(item, own, node, name)
        }
        if isFrozen {
            item.speed = .normal
            if item.voices ?? [] != [] || item.follow != nil {
                notCarried.append("the audio of the clip \(name): its frame stands still")
                (item.voices, item.follow) = (nil, nil)
            }
            item.isReversed = false
        }
        if item.isStillFile {
            // it stands still anyway
            (isFrozen, item.isReversed) = (false, false)
        }
        let span =
            try item.isStillFile
            ? stillSpan(node, item.speed, name)
            : span(node, item.speed, name, of: item.moviePath)
        (item.start, item.end) = (span.start, span.end)
        if isFrozen {
            // the range's length is how long the frame shows
            item.end = nil
            if span.end == nil {
                notCarried.append(
                    "the freeze frame of the clip \(name): its length is not stated, so it plays")
            }
            if let end = span.end {
                item.freeze =
                    (try? end.adding(-span.start))
                    ?? .timeline(end.timelineTicks - span.start.timelineTicks)
            }
        }
        return (item, span.mediaStart)
    }

    /// A clip whose speed changes: its times are those of its source, in our own words.
    private mutating func ramped(
        _ clip: VideoItem, _ own: JSONValue, _ node: JSONValue, _ name: String
    ) throws(JSONFailure) -> (item: VideoItem, mediaStart: Int64) {
        var item = clip
        var reader = ProjectReader(resolve: resolve)
        try ProjectTables.video.read(own, only: OTIOWriter.rampKeys, into: &item, &reader)
        return (item, try span(node, .normal, name, of: item.moviePath).mediaStart)
    }

    private mutating func apply(_ effect: JSONValue, to item: inout VideoItem, _ name: String) {
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
        // two change the speed one after the other
        item.speed = Speed(nearest: item.speed.approximate * speed.approximate) ?? speed
        if !(0.01...100).contains(item.speed.approximate) {
            notCarried.append("\(what): the clip would be too fast or too slow, so it is left out")
            item.speed = .normal
        }
        if scalar < 0 { item.isReversed.toggle() }
    }

    /// A name that is only the file's is none.
    func ownName(_ name: String, _ path: String) -> String? {
        name.isEmpty || name == OTIOAddress.name(nil, path) ? nil : name
    }

    /// What of the source is used, and at what time its media begin; the range's length is what it lasts in
    /// the track.
    /// - Parameter movie: path of the media, if they can have a time code of their own.
    mutating func span(
        _ node: JSONValue, _ speed: Speed, _ name: String, of movie: String?
    ) throws(JSONFailure) -> (start: MediaTime, end: MediaTime?, mediaStart: Int64) {
        let (range, what) = (node["source_range"], "the clip \(name)")
        let stated = try time(
            reference(of: node)?["available_range"]?["start_time"], "the start of \(what)'s media")
        var begin = stated ?? .zero
        guard let first = try time(range?["start_time"], "the start of \(what)") else {
            return (.zero, nil, begin.timelineTicks)
        }
        if stated == nil, let movie {
            let length = try time(range?["duration"], "the length of \(what)")
            let end = length.map { first + .timeline(speed.source($0.timelineTicks)) }
            let rate = OTIOTime.rate(range?["start_time"])
            if let own = starts.start(of: movie, for: (first, rate), to: end) {
                notCarried.append(
                    "the range of \(what): where its media begin is not stated, so it is counted by their own "
                        + "time code, from \(own.code)")
                begin = own.time
            }
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
            throw JSONFailure(
                position: range?.position ?? node.position,
                message: "\(what) begins \((.zero - start).spoken) before its media")
        }
        guard let length = try time(range?["duration"], "the length of \(what)"), length > .zero
        else { return (start, nil, begin.timelineTicks) }
        if speed == .normal, let end = try? start.adding(length) {
            return (start, end, begin.timelineTicks)
        }
        let end = start.timelineTicks + speed.source(length.timelineTicks)
        return (start, .timeline(end), begin.timelineTicks)
    }

    mutating func address(
        _ node: JSONValue, _ name: String
    ) throws(JSONFailure) -> String? {
        guard let url = reference(of: node)?["target_url"], let text = url.text else { return nil }
        guard let path = OTIOAddress.path(text), !path.isEmpty else {
            throw JSONFailure(
                position: url.position,
                message: "the clip \(JSONWriter.quoted(String(name.prefix(40)))) is at "
                    + "\(JSONWriter.quoted(String(text.prefix(100)))), which is no file")
        }
        let failure: JSONFailure?
        do throws(JSONFailure) {
            let resolved = try resolve(path, url.position)
            guard MediaRoots.canonical(resolved) == nil else { return resolved }
            failure = nil
        } catch { failure = error }
        let length = try time(
            reference(of: node)?["available_range"]?["duration"], "the length of \(name)'s media")
        switch finder.match(path, lasting: length) {
        case .one(let found):
            notCarried.append("the address \(text) of the clip \(name): \(found) has its name")
            return found
        case .several(let all):
            throw JSONFailure(
                position: url.position,
                message:
                    "the clip \(JSONWriter.quoted(String(name.prefix(40)))) is not where it is named, and several "
                    + "files have its name: \(all.prefix(4).joined(separator: ", ")); put the right one beside the "
                    + "project, or allow its folder only")
        case .none:
            // what is not there is reported when it is opened
            if let failure { throw failure }
            return try resolve(path, url.position)
        }
    }
}

extension VideoItem {
    /// Path of the movie; nil: the clip is of pictures or generated.
    fileprivate var moviePath: String? { generator == nil && sequence == nil ? path : nil }
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
