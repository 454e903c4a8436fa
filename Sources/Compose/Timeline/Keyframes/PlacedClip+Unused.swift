internal import Media

extension PlacedClip {
    /// What of its key frames, view and motion has no effect, one sentence each.
    /// - Parameters:
    ///   - frame: of the film (pixels; nil: it shows nothing).
    ///   - usual: the project's fit.
    func unusedChanges(in frame: PixelSize?, _ usual: FitMode) -> [String] {
        var unused: [String] = []
        // its audio may be heard longer than it shows
        let heard = voices.isEmpty ? ticks : max(ticks, heard.end - start)
        let late = item.keyframes.filter {
            $0.time.timelineTicks > ($0.givesSound ? heard : ticks)
        }
        if let first = late.first {
            unused.append(
                "\(name): its key frame\(late.count == 1 ? " at" : "s from") \(first.time.spoken)\(late.count == 1 ? "" : " on") "
                    + "\(late.count == 1 ? "lies" : "lie") behind its end; it shows for \(MediaTime.timeline(ticks).spoken)"
            )
        }
        unused += unusedAreas
        for voice in voices {
            unused += voice.keyframes.unused(
                "\(name), track \(voice.part.track.id)", lasting: heard)
        }
        if voices.isEmpty, item.keyframes.contains(where: \.givesSound) {
            let what = item.keyframes.contains { $0.volume != nil } ? "volume" : "pan"
            unused.append("\(name): its key frames change the \(what), and no audio of it is heard")
        }
        if !item.isRamped, item.keyframes.contains(where: { $0.speed != nil }) {
            unused.append(
                "\(name): its key frames give it the speed that it has, which changes nothing")
        }
        let hasView = item.view != nil || item.keyframes.contains { $0.view != nil }
        var hasOwnMotion = false
        if case .views = wantedMotion { hasOwnMotion = true }
        if item.grades.contains(where: { $0.table == nil && $0.tableStrength != 1 }) {
            unused.append("\(name): its lutStrength changes nothing, because it has no lut")
        }
        if picture == nil {
            let hasShape = item.keyframes.contains { $0.givesShape || $0.grade != nil }
            if !item.grade.isEmpty {
                unused.append("\(name): it has no video whose colours a grade could change")
            }
            if item.key != nil {
                unused.append("\(name): it has no video that a key could make transparent")
            }
            if item.mask != nil {
                unused.append("\(name): it has no video that a mask could cut")
            }
            if !item.effects.isEmpty {
                unused.append("\(name): it has no video that an effect could change")
            }
            if hasView || hasShape || item.motion ?? .none != .none {
                unused.append("\(name): it has no video that could be moved")
            }
        } else if case .color? = item.generator, hasView || hasOwnMotion {
            unused.append(
                "\(name): its \(hasView ? "view" : "motion") changes nothing, because it is one colour"
            )
        } else if let frame, hasView || hasOwnMotion, showsAll(in: frame, usual) {
            unused.append(
                "\(name): its \(hasView ? "view" : "motion") changes nothing, because all of it is shown; zoom, or fit it with cover into "
                    + "another shape")
        }
        return unused
    }

    /// Of its mask and its effects.
    private var unusedAreas: [String] {
        var unused: [String] = []
        let lasts = "which shows for \(MediaTime.timeline(ticks).spoken)"
        let courses =
            [item.mask.map { (ItemName.mask(of: name), $0.keyframes) }].compactMap(\.self)
            + item.effects.enumerated().map { (ItemName.effect($0, of: name), $1.keyframes) }
        for (what, keyframes) in courses
        where keyframes.contains(where: { $0.time.timelineTicks > ticks }) {
            unused.append(
                "\(what): some of its key frames lie behind the end of the clip, \(lasts)")
        }
        for (index, effect) in item.effects.enumerated() {
            let what = ItemName.effect(index, of: name)
            let end = effect.at + (effect.duration ?? .zero)
            if effect.at.timelineTicks >= ticks {
                unused.append("\(what) is not seen: it begins behind the end of the clip, \(lasts)")
            } else if effect.duration != nil, end.timelineTicks > ticks {
                unused.append("\(what) ends before it is over, with the clip, \(lasts)")
            } else if effect.keyframes.isEmpty, effect.area.isNothing {
                unused.append("\(what) is not seen: \(effect.area.whyNothing)")
            }
        }
        if let mask = item.mask, mask.keyframes.isEmpty, mask.area.isNothing {
            unused.append("\(name) is not seen, because of its mask: \(mask.area.whyNothing)")
        }
        return unused
    }

    /// Whether every view of it, at its own place and crop, is that of its middle.
    private func showsAll(in frame: PixelSize, _ usual: FitMode) -> Bool {
        guard let format, !item.keyframes.contains(where: { $0.place != nil || $0.crop != nil })
        else { return false }
        let visible = item.crop.visible(of: format.uprightSize)
        let place = item.place ?? .wholeFrame
        let room = ClipLayout.room(place, visible.size, frame).size
        let scale = ClipLayout.scale(
            of: visible.size, in: room, place.isTwoSided ? fit(usual) : .stretch)
        var views = [item.view].compactMap(\.self) + item.keyframes.compactMap(\.view)
        if case .views(let motion) = wantedMotion { views = [motion.from, motion.to] }
        return views.allSatisfy { view in
            let middle = ViewPlace(from: view, to: view, at: 0, of: visible, in: room, scale)
            return middle.zoom == 1
                && (middle.x - visible.x - visible.width / 2).magnitude < 0.5
                && (middle.y - visible.y - visible.height / 2).magnitude < 0.5
        }
    }

    /// Whether none of it is ever in the frame.
    /// - Parameters:
    ///   - frame: of the film (pixels).
    ///   - usual: the project's fit.
    func liesOutside(_ frame: PixelSize, _ usual: FitMode) -> Bool {
        guard isFramed, let layout = layout(in: frame, usual), let format else { return false }
        let (size, fit) = (format.uprightSize, fit(usual))
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let plain = fit == .blurred ? FitMode.contain : fit
        guard let animation = ClipAnimation(self, of: size, in: frame, plain) else {
            return layout.transform.leads(layout.crop ?? whole, outsideOf: frame)
        }
        // where it comes to rest, and on its ways
        let instants = animation.bends + (0...32).map { ticks / 32 * $0 }
        return instants.within(ticks).allSatisfy { tick in
            [false, true].allSatisfy { isBefore in
                let state = animation.state(at: tick, before: isBefore)
                return state.transform.leads(state.visible, outsideOf: frame)
            }
        }
    }

    /// Whether it is never opaque at all.
    var isTransparent: Bool {
        KeyTrack(item.look.opacity, item.keyframes.map { ($0.time, $0.curve, $0.opacity) }).isNever
    }
}

extension TitleItem {
    /// - Parameter name: for messages.
    func unusedChanges(_ name: String) -> [String] {
        var unused: [String] = []
        if keyframes.contains(where: { $0.time > duration }) {
            unused.append(
                "\(name): some of its key frames lie behind its end; it shows for \(duration.spoken)"
            )
        }
        if KeyTrack(placement.opacity, keyframes.map { ($0.time, $0.curve, $0.opacity) }).isNever {
            unused.append("\(name) is not seen: its opacity is 0")
        }
        let places = [
            [placement.x] + keyframes.compactMap(\.x), [placement.y] + keyframes.compactMap(\.y),
        ]
        // a style's place is within the frame
        if places.contains(where: { side in
            side.allSatisfy { $0 >= 1 } || side.allSatisfy { $0 <= -1 }
        }) {
            unused.append("\(name) is not seen: it lies outside of the frame")
        }
        if KeyTrack(placement.scale, keyframes.map { ($0.time, $0.curve, $0.scale) }).isNever {
            unused.append("\(name) is not seen: its scale is 0")
        }
        return unused
    }
}

extension KeyTrack<Double> {
    /// Whether it is zero all along; what is replaced at the beginning does not count.
    fileprivate var isNever: Bool {
        let first = keys.lastIndex { $0.tick == 0 } ?? 0
        return keys[first...].allSatisfy { $0.value == 0 }
    }
}

extension Transform2D {
    fileprivate func leads(_ area: Rectangle, outsideOf frame: PixelSize) -> Bool {
        let bounds = LayerPlacement.bounds(
            of: .init(
                left: area.x, top: area.y, right: area.x + area.width,
                bottom: area.y + area.height), self)
        return bounds.right <= 0 || bounds.bottom <= 0 || bounds.left >= Double(frame.width)
            || bounds.top >= Double(frame.height)
    }
}
