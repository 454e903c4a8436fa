internal import Glibc
internal import Media

extension MediaError {
    /// What a failed call on a V4L2 node means for a person.
    static func v4l2(
        _ failure: V4L2Node.Failure, on device: CaptureDevice, doing action: String
    ) -> MediaError {
        let node = device.node ?? device.id
        let (code, advice): (Code, String)
        switch (failure.errno, failure.function) {
        case (EACCES, _), (EPERM, _):
            code = .notPermitted
            let group = DeviceNodeAccess.group(of: node) ?? "video"
            // a node that is root's alone: udev, which hands it to the group, does not run
            let wanted = group == "root" ? "video" : group
            advice =
                "permission was denied; add yourself to the group \(wanted) "
                + "(sudo usermod -aG \(wanted) $USER) and log in again"
        case (EBUSY, _):
            code = .deviceBusy
            let own = failure.function == "open" ? 0 : 1
            let holder =
                DeviceNodeAccess.holder(of: node, besides: own) ?? "another program"
            advice = "\(holder) is using it; close that and try again"
        case (ENOSPC, "VIDIOC_STREAMON"):
            code = .noBandwidth
            advice =
                "the USB bus has not enough bandwidth left; take a smaller size, a lower rate or "
                + "MJPEG, or plug the cameras into different controllers"
        case (ENOENT, _), (ENODEV, _), (ENXIO, _):
            code = .deviceGone
            advice = "it is not there any more; plug it in again"
        default:
            code = .deviceFailed
            advice =
                "the driver \(device.driver) answered \"\(text(of: failure.errno))\" to "
                + "\(failure.function); unplug it and plug it in again, or try another format"
        }
        return MediaError(
            code: code, function: failure.function, subject: device.id, errno: failure.errno,
            message: "Cannot \(action) \(device.name) (\(node)): \(advice).")
    }

    static func text(of number: Int32) -> String { String(cString: strerror(number)) }
}
