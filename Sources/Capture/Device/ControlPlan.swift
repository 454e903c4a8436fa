internal import Media

/// Which controls settings set, to what and in which order. A pure value.
struct ControlPlan: Sendable {
    typealias Values = [(name: String, value: Int64)]
    private typealias Entry = (setting: CameraSetting, values: Values)

    // immutable
    /// An automatic mode goes off before the values that it rules, and on behind them.
    let values: Values
    private let entries: [Entry]

    /// - Parameter underlying: lists of which each is overruled by those behind it, and all by `settings`.
    /// - Throws: `invalidSetting` for what the camera does not have.
    init(
        _ settings: [CameraSetting], over underlying: [[CameraSetting]] = [],
        among controls: [DeviceControl], of device: CaptureDevice
    ) throws(MediaError) {
        let resolver = SettingResolver(controls: controls, device: device)
        let roles = ControlRoles(controls)
        var (latest, entries): (Values, [Entry]) = ([], [])
        var (said, natives): (Set<String>, Set<String>) = ([], [])
        // the last list first: it counts
        for list in (underlying + [settings]).reversed() {
            let own = try Self.entries(list.filter { !said.contains($0.name) }, resolver)
            let values = Self.values(of: own, roles, controls)
            latest = latest.map { item in
                natives.contains(item.name)
                    ? item : Self.joined(item, with: values, roles, controls)
            }
            let kept = values.filter { !roles.isOverruled($0, by: latest) }
            let lost = Set(values.map(\.name)).subtracting(kept.map(\.name))
            entries = own.filter { !lost.contains($0.values.last?.name ?? "") } + entries
            latest = kept + latest
            said.formUnion(list.map(\.name))
            natives.formUnion(list.filter(\.isNative).map(\.name))
        }
        for (name, value) in latest {
            try controls.first { $0.name == name }?.check(value, on: device)
        }
        let ranked = latest.map { ($0, roles.rank($0)) }
        values = (0...2).flatMap { rank in ranked.filter { $0.1 == rank }.map(\.0) }
        self.entries = entries
    }

    /// Of one list, of whose words for one thing the last counts.
    private static func entries(
        _ settings: [CameraSetting], _ resolver: SettingResolver
    ) throws(MediaError) -> [Entry] {
        let last = settings.indices.filter { index in
            !settings[(index + 1)...].contains { $0.name == settings[index].name }
        }
        return try last.map { index throws(MediaError) in
            (settings[index], try resolver.values(of: settings[index]))
        }
    }

    private static func values(
        of entries: [Entry], _ roles: ControlRoles, _ controls: [DeviceControl]
    ) -> Values {
        var latest: Values = []
        for (setting, values) in entries {
            for item in values {
                // by its own name it is given as a whole
                let item =
                    setting.isNative ? item : joined(item, with: latest, roles, controls)
                latest.removeAll { $0.name == item.name }
                // `exposure=auto` behind a time given by its native name is the last word, too
                if !setting.isNative, let ruled = roles.ruled(by: item) {
                    latest.removeAll { roles[$0.name] == ruled }
                }
                latest.append(item)
            }
        }
        return latest
    }

    /// Exposure and focus share one control of what looks at the point: each changes its own bit.
    private static func joined(
        _ item: ControlRoles.Item, with values: Values, _ roles: ControlRoles,
        _ controls: [DeviceControl]
    ) -> ControlRoles.Item {
        guard roles[item.name] == .pointUses,
            let other = values.first(where: { $0.name == item.name }),
            let present = controls.first(where: { $0.name == item.name })?.value
        else { return item }
        return (item.name, item.value ^ other.value ^ present)
    }

    /// - Parameter controls: as they are now.
    func granted(by controls: [DeviceControl]) -> [GrantedCameraSetting] {
        let present = CameraSetting.present(among: controls)
        return entries.map { setting, values in
            var granted = present.first { $0.name == setting.name }
            if case .native(let name, _) = setting {
                granted = controls.first { $0.name == name }?.value.map {
                    .native(name: name, value: $0)
                }
            }
            switch setting {
            case .whiteBalance(.once): granted = nil
            // the time that stays is no other answer
            case .exposure(.manual), .exposure(.shutterPriority):
                if case .exposure(.duration) = granted { granted = setting }
            // which of its automatic modes a camera has is its own
            case .exposure(.automatic):
                if case .exposure(.aperturePriority) = granted { granted = setting }
            // a region has whole pixels
            case .exposurePoint(.value(let wanted)):
                if case .exposurePoint(.value(let point)) = granted, point.isAt(wanted) {
                    granted = setting
                }
            case .focusPoint(.value(let wanted)):
                if case .focusPoint(.value(let point)) = granted, point.isAt(wanted) {
                    granted = setting
                }
            default: break
            }
            return GrantedCameraSetting(
                wanted: setting, granted: granted, controls: values.map(\.name))
        }
    }
}
