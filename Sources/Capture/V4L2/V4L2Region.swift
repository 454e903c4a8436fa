internal import CV4L2
internal import Media

/// A camera's region of interest (UVC), of which we say where its middle is: V4L2_CID_UVC_REGION_OF_INTEREST_RECT, a
/// compound control in pixels of the sensor.
///
/// Source: Linux's uvcvideo (since its regions of interest); UVC 1.5, 4.2.2.1.20.
struct V4L2Region: Sendable {
    /// In pixels of the sensor.
    struct Rectangle: Sendable, Hashable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    /// All that can be looked at …
    let whole: Rectangle
    /// … and the smallest part of it (pixels).
    let smallest: PixelSize

    /// A fifth of each side, as spot meters of cameras have it.
    private static let share = 5

    /// The region around a point, moved into the frame.
    func rectangle(around point: PointOfInterest) -> Rectangle {
        let width = Self.side(whole.width, smallest.width)
        let height = Self.side(whole.height, smallest.height)
        return Rectangle(
            left: whole.left + Self.start(point.x, whole.width, width),
            top: whole.top + Self.start(point.y, whole.height, height), width: width,
            height: height)
    }

    /// The middle of a region.
    func middle(of region: Rectangle) -> PointOfInterest {
        func part(_ start: Int, _ length: Int, _ whole: Int) -> Double {
            min(1, max(0, (Double(start) + Double(length) / 2) / Double(max(1, whole))))
        }
        return PointOfInterest(
            x: part(region.left - whole.left, region.width, whole.width),
            y: part(region.top - whole.top, region.height, whole.height))
    }

    private static func side(_ whole: Int, _ least: Int) -> Int {
        min(whole, max(1, least, whole / share))
    }

    private static func start(_ part: Double, _ whole: Int, _ side: Int) -> Int {
        min(max(0, Int((part * Double(whole) - Double(side) / 2).rounded())), whole - side)
    }

    // MARK: The driver

    /// `nil` where the driver has none, or does not say in which pixels it counts.
    init?(of node: borrowing V4L2Node) {
        guard let whole = Self.read(vcap_V4L2_CTRL_WHICH_MAX_VAL, of: node), whole.width > 1,
            whole.height > 1
        else { return nil }
        let least = Self.read(vcap_V4L2_CTRL_WHICH_MIN_VAL, of: node)
        self.init(
            whole: whole, smallest: PixelSize(least?.width ?? 1, least?.height ?? 1))
    }

    init(whole: Rectangle, smallest: PixelSize) {
        self.whole = whole
        self.smallest = smallest
    }

    func get(of node: borrowing V4L2Node) -> Int64? {
        Self.read(0, of: node).flatMap(point)?.code
    }

    /// `nil` for a region that is not what a point would be given, such as the whole frame.
    func point(of region: Rectangle) -> PointOfInterest? {
        let middle = middle(of: region)
        let own = rectangle(around: middle)
        // drivers align
        let isOwn =
            abs(region.width - own.width) <= max(16, own.width / 4)
            && abs(region.height - own.height) <= max(16, own.height / 4)
        return isOwn ? middle : nil
    }

    func set(_ code: Int64, on node: borrowing V4L2Node) throws(V4L2Node.Failure) {
        let wanted = rectangle(around: PointOfInterest(code: code))
        var region = v4l2_rect(
            left: Int32(clamping: wanted.left), top: Int32(clamping: wanted.top),
            width: UInt32(clamping: wanted.width), height: UInt32(clamping: wanted.height))
        let result = Self.exchange(.setControls, 0, &region, on: node)
        if result != 0 {
            throw V4L2Node.Failure(function: V4L2Request.setControls.name, errno: result)
        }
    }

    private static func read(_ which: UInt32, of node: borrowing V4L2Node) -> Rectangle? {
        var region = v4l2_rect()
        guard exchange(.getControls, which, &region, on: node) == 0 else { return nil }
        return Rectangle(
            left: Int(region.left), top: Int(region.top), width: Int(region.width),
            height: Int(region.height))
    }

    private static func exchange(
        _ request: V4L2Request, _ which: UInt32, _ region: inout v4l2_rect,
        on node: borrowing V4L2Node
    ) -> Int32 {
        let descriptor = node.descriptor
        return withUnsafeMutablePointer(to: &region) { region in
            var control = vcap_ext_rect(vcap_V4L2_CID_UVC_REGION_OF_INTEREST_RECT, region)
            return withUnsafeMutablePointer(to: &control) { control in
                var list = vcap_ext_controls(which, control)
                return V4L2Node.ioctl(descriptor, request, &list)
            }
        }
    }

    /// As a control, which the list of plain ones leaves out; `nil` where the driver has none.
    static func entry(of node: borrowing V4L2Node) -> V4L2Controls.Entry? {
        var query = v4l2_query_ext_ctrl()
        query.id = vcap_V4L2_CID_UVC_REGION_OF_INTEREST_RECT
        guard (try? node.call(.queryControl, &query)) != nil,
            query.type == vcap_V4L2_CTRL_TYPE_RECT,
            query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0, let region = V4L2Region(of: node)
        else { return nil }
        let label = V4L2Text.string(query.name)
        var control = DeviceControl(
            name: V4L2Controls.snakeCase(label), label: label, kind: .point,
            range: PointOfInterest.codes, defaultValue: PointOfInterest(x: 0.5, y: 0.5).code,
            value: region.get(of: node),
            isReadOnly: query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
            isInactive: query.flags
                & UInt32(V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED) != 0)
        control.role = .pointOfInterest
        return V4L2Controls.Entry(
            id: query.id, isWide: false, control: control, region: region)
    }
}
