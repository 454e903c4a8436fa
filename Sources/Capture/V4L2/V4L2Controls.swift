internal import CV4L2
internal import Media

/// A camera's controls by ioctl: VIDIOC_QUERY_EXT_CTRL, QUERYMENU, G_EXT_CTRLS, S_EXT_CTRLS.
enum V4L2Controls {
    struct Entry: Sendable {
        let id: UInt32
        let isWide: Bool
        var control: DeviceControl
        /// Of a control that is a region; `nil`: one with a plain value.
        var region: V4L2Region?
    }

    static func list(of node: borrowing V4L2Node) -> [Entry] {
        var entries: [Entry] = []
        var query = v4l2_query_ext_ctrl()
        let next = vcap_V4L2_CTRL_FLAG_NEXT_CTRL
        query.id = next
        while (try? node.call(.queryControl, &query)) != nil {
            if let entry = entry(query, of: node) { entries.append(entry) }
            let id = query.id
            query = v4l2_query_ext_ctrl()
            query.id = id | next
        }
        // compound controls are in a list of their own
        if let region = V4L2Region.entry(of: node) { entries.append(region) }
        return entries
    }

    /// Sets controls in the order given.
    /// - Throws: `invalidSetting` naming the control or the values it takes.
    static func set(
        _ values: [(name: String, value: Int64)], among entries: [Entry],
        on node: borrowing V4L2Node, _ device: CaptureDevice
    ) throws(MediaError) {
        for (name, value) in values {
            guard let entry = entries.first(where: { $0.control.name == name }) else {
                throw .noSuchControl(name, on: device, among: entries.map(\.control.name))
            }
            try entry.control.check(value, on: device)
            do throws(V4L2Node.Failure) {
                try set(value, of: entry, on: node)
            } catch {
                throw MediaError(
                    code: error.errno == 16 ? .deviceBusy : .invalidSetting,
                    function: error.function, subject: name, errno: error.errno,
                    message: "Cannot set \(name) of \(device.name) to \(value): the driver "
                        + "answered \"\(MediaError.text(of: error.errno))\"; "
                        + "an automatic mode or another program may hold it.")
            }
        }
    }

    private static func set(
        _ value: Int64, of entry: Entry, on node: borrowing V4L2Node
    ) throws(V4L2Node.Failure) {
        if let region = entry.region { return try region.set(value, on: node) }
        var control = vcap_ext_control(entry.id, value, entry.isWide ? 1 : 0)
        try exchange(.setControls, &control, on: node)
    }

    private static func get(
        _ id: UInt32, isWide: Bool, of node: borrowing V4L2Node
    ) -> Int64? {
        var control = vcap_ext_control(id, 0, 0)
        guard (try? exchange(.getControls, &control, on: node)) != nil else { return nil }
        return vcap_ext_control_value(&control, isWide ? 1 : 0)
    }

    /// The present value; the kernel keeps bit masks in a signed field.
    private static func value(
        of query: v4l2_query_ext_ctrl, isWide: Bool, on node: borrowing V4L2Node
    ) -> Int64? {
        let value = get(query.id, isWide: isWide, of: node)
        guard query.type == V4L2_CTRL_TYPE_BITMASK.rawValue else { return value }
        return value.map { $0 & 0xFFFF_FFFF }
    }

    private static func exchange(
        _ request: V4L2Request, _ control: inout v4l2_ext_control, on node: borrowing V4L2Node
    ) throws(V4L2Node.Failure) {
        let descriptor = node.descriptor
        let result = withUnsafeMutablePointer(to: &control) { pointer in
            var list = v4l2_ext_controls()
            list.count = 1
            list.controls = pointer
            return V4L2Node.ioctl(descriptor, request, &list)
        }
        if result != 0 { throw V4L2Node.Failure(function: request.name, errno: result) }
    }

    /// `nil` for headings, disabled controls and kinds without a plain value.
    private static func entry(
        _ query: v4l2_query_ext_ctrl, of node: borrowing V4L2Node
    ) -> Entry? {
        guard query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0,
            let kind = kind(query.type), query.minimum <= query.maximum
        else { return nil }
        let isWide = query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
        let label = V4L2Text.string(query.name)
        let isReadable =
            kind != .button && query.flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0
        let isNumberMenu = query.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
        var control = DeviceControl(
            name: snakeCase(label), label: label, kind: kind,
            range: query.minimum...query.maximum, step: Int64(max(query.step, 1)),
            defaultValue: query.default_value,
            value: isReadable ? value(of: query, isWide: isWide, on: node) : nil,
            menu: kind == .menu ? menu(query, isNumberMenu, of: node) : [],
            isReadOnly: query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
            isInactive: query.flags
                & UInt32(V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED) != 0)
        control.role = roles[query.id]
        return Entry(id: query.id, isWide: isWide, control: control)
    }

    private static let roles: [UInt32: DeviceControl.Role] = [
        vcap_V4L2_CID_EXPOSURE_ABSOLUTE: .exposureTime,
        vcap_V4L2_CID_EXPOSURE_AUTO: .exposureMode,
        vcap_V4L2_CID_AUTO_EXPOSURE_BIAS: .exposureBias,
        vcap_V4L2_CID_AUTOGAIN: .automaticGain,
        vcap_V4L2_CID_GAIN: .gain,
        vcap_V4L2_CID_AUTO_WHITE_BALANCE: .automaticWhiteBalance,
        vcap_V4L2_CID_DO_WHITE_BALANCE: .whiteBalanceOnce,
        vcap_V4L2_CID_WHITE_BALANCE_TEMPERATURE: .whiteBalance,
        vcap_V4L2_CID_FOCUS_AUTO: .automaticFocus,
        vcap_V4L2_CID_FOCUS_ABSOLUTE: .focus,
        vcap_V4L2_CID_ZOOM_ABSOLUTE: .zoom,
        vcap_V4L2_CID_PAN_ABSOLUTE: .pan,
        vcap_V4L2_CID_TILT_ABSOLUTE: .tilt,
        vcap_V4L2_CID_PAN_SPEED: .panSpeed,
        vcap_V4L2_CID_TILT_SPEED: .tiltSpeed,
        vcap_V4L2_CID_FLASH_LED_MODE: .torch,
        vcap_V4L2_CID_POWER_LINE_FREQUENCY: .powerLine,
        vcap_V4L2_CID_UVC_REGION_OF_INTEREST_AUTO: .pointUses,
        vcap_V4L2_CID_HUE_AUTO: .otherAutomatic,
        vcap_V4L2_CID_AUTOBRIGHTNESS: .otherAutomatic,
    ]

    private static func menu(
        _ query: v4l2_query_ext_ctrl, _ isNumberMenu: Bool, of node: borrowing V4L2Node
    ) -> [DeviceControl.MenuItem] {
        (max(query.minimum, 0)...min(query.maximum, 255)).compactMap { index in
            var item = vcap_querymenu(query.id, UInt32(index))
            guard (try? node.call(.queryMenu, &item)) != nil else { return nil }
            let label =
                isNumberMenu
                ? "\(vcap_querymenu_value(&item))" : String(cString: vcap_querymenu_name(&item))
            return DeviceControl.MenuItem(value: index, label: label)
        }
    }

    private static func kind(_ type: UInt32) -> DeviceControl.Kind? {
        switch type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue: .integer
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: .boolean
        case V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: .menu
        case V4L2_CTRL_TYPE_BITMASK.rawValue: .bitmask
        case V4L2_CTRL_TYPE_BUTTON.rawValue: .button
        default: nil
        }
    }

    /// The name v4l2-ctl gives a control: letters and digits in lower case, the rest one `_`.
    static func snakeCase(_ label: String) -> String {
        var name = ""
        for byte in label.lowercased().utf8 {
            let isPlain = (48...57).contains(byte) || (97...122).contains(byte)
            if isPlain {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !name.isEmpty, name.last != "_" {
                name += "_"
            }
        }
        return name.last == "_" ? String(name.dropLast()) : name
    }
}

extension DeviceControl {
    /// Refuses what the control does not list.
    func check(_ value: Int64, on device: CaptureDevice) throws(MediaError) {
        let subject = "\(name) of \(device.name)"
        if isReadOnly { throw refusal("Cannot set \(subject): it can only be read.") }
        if kind == .button { return }
        if kind == .menu, !menu.contains(where: { $0.value == value }) {
            let items = menu.map { "\($0.value) (\($0.label))" }.joined(separator: ", ")
            throw refusal("Cannot set \(subject) to \(value): it takes \(items).")
        }
        guard range.contains(value) else {
            throw refusal(
                "Cannot set \(subject) to \(value): "
                    + "it takes \(range.lowerBound) to \(range.upperBound)"
                    + (step > 1 ? " in steps of \(step)." : "."))
        }
    }

    private func refusal(_ message: String) -> MediaError {
        MediaError(code: .invalidSetting, subject: name, message: message)
    }
}
