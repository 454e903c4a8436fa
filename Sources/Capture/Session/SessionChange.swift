/// What a transaction changes: the difference of two configurations.
struct SessionChange: Sendable {
    typealias Input = CaptureConfiguration.Input
    typealias Branch = CaptureConfiguration.Branch

    /// Devices that are not open yet, or otherwise.
    private(set) var opened: [Input] = []
    /// Devices that go.
    private(set) var closed: [Input] = []
    /// Of those that go the ones that come back with other settings.
    private(set) var reopened: [Input] = []
    /// Listeners that come to a device that stays.
    private(set) var attached: [(key: DeviceKey, branch: Branch)] = []
    /// Listeners that leave their device, whatever becomes of that.
    private(set) var detached: [(key: DeviceKey, branch: Branch)] = []

    init(from old: CaptureConfiguration, to new: CaptureConfiguration) {
        for input in old.inputs {
            let next = new.inputs.first { $0.key == input.key }
            let stays = next?.input.settings == input.input.settings
            for branch in input.branches where !(stays && next?.has(branch) == true) {
                detached.append((input.key, branch))
            }
            if stays { continue }
            closed.append(input)
            if next != nil { reopened.append(input) }
        }
        for input in new.inputs {
            let before = old.inputs.first { $0.key == input.key }
            guard let before, before.input.settings == input.input.settings else {
                opened.append(input)
                continue
            }
            for branch in input.branches where !before.has(branch) {
                attached.append((input.key, branch))
            }
        }
    }
}

extension CaptureConfiguration.Input {
    fileprivate func has(_ branch: CaptureConfiguration.Branch) -> Bool {
        branches.contains {
            $0.output === branch.output && $0.connection == branch.connection
        }
    }
}
