internal import CV4L2
internal import Media

/// What a node can deliver: VIDIOC_ENUM_FMT, ENUM_FRAMESIZES, ENUM_FRAMEINTERVALS.
enum V4L2Listing {
    /// Most entries asked of a driver, against one that never ends its list.
    private static let limit: UInt32 = 256

    static func formats(
        of node: borrowing V4L2Node, _ capability: V4L2Capability
    ) -> [VideoCaptureFormat] {
        var formats: [VideoCaptureFormat] = []
        for index in 0..<limit {
            var entry = v4l2_fmtdesc()
            entry.index = index
            entry.type = capability.bufferType
            guard (try? node.call(.enumerateFormats, &entry)) != nil else { break }
            let fourCC = V4L2Text.fourCC(entry.pixelformat)
            let known = V4L2PixelFormat.of(fourCC: fourCC)
            let coding = known?.coding
            // what neither we nor libv4lconvert read cannot be recorded and is not offered
            guard coding != nil || VendorConverter.readable.contains(fourCC) else { continue }
            formats.append(
                VideoCaptureFormat(
                    coding: coding,
                    name: V4L2PixelFormat.name(ofFourCC: fourCC), fourCC: fourCC,
                    sizes: sizes(of: node, entry.pixelformat),
                    depth: known?.isDepth == true ? .millimetres : nil, bayer: known?.bayer))
        }
        return formats
    }

    private static func sizes(
        of node: borrowing V4L2Node, _ pixelFormat: UInt32
    ) -> [VideoCaptureSize] {
        var sizes: [VideoCaptureSize] = []
        for index in 0..<limit {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = pixelFormat
            guard (try? node.call(.enumerateSizes, &entry)) != nil else { break }
            let isDiscrete = entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            let extent = isDiscrete ? discrete(entry) : stepwise(entry)
            let example = isDiscrete ? discreteSize(entry) : PixelSize(0, 0)
            let asked =
                isDiscrete
                ? example
                : PixelSize(Int(entry.stepwise.max_width), Int(entry.stepwise.max_height))
            sizes.append(
                VideoCaptureSize(
                    extent: extent, frameDurations: intervals(of: node, pixelFormat, asked)))
            if !isDiscrete { break }
        }
        return sizes
    }

    private static func discreteSize(_ entry: v4l2_frmsizeenum) -> PixelSize {
        PixelSize(Int(entry.discrete.width), Int(entry.discrete.height))
    }

    private static func discrete(_ entry: v4l2_frmsizeenum) -> VideoCaptureSize.Extent {
        .discrete(discreteSize(entry))
    }

    private static func stepwise(_ entry: v4l2_frmsizeenum) -> VideoCaptureSize.Extent {
        let range = entry.stepwise
        return .stepwise(
            minimum: PixelSize(Int(range.min_width), Int(range.min_height)),
            maximum: PixelSize(Int(range.max_width), Int(range.max_height)),
            step: PixelSize(Int(max(range.step_width, 1)), Int(max(range.step_height, 1))))
    }

    /// Frame durations of a size (for a range of sizes: of its largest), shortest first.
    static func intervals(
        of node: borrowing V4L2Node, _ pixelFormat: UInt32, _ size: PixelSize
    ) -> [VideoCaptureSize.FrameDurations] {
        var durations: [VideoCaptureSize.FrameDurations] = []
        for index in 0..<limit {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = pixelFormat
            entry.width = UInt32(size.width)
            entry.height = UInt32(size.height)
            guard (try? node.call(.enumerateIntervals, &entry)) != nil else { break }
            if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                guard let duration = duration(entry.discrete) else { continue }
                durations.append(.discrete(duration))
            } else {
                if let shortest = duration(entry.stepwise.min),
                    let longest = duration(entry.stepwise.max)
                {
                    durations.append(.range(shortest: shortest, longest: longest))
                }
                break
            }
        }
        return durations.sorted { $0.shortest < $1.shortest }
    }

    /// `nil` for what is no duration; drivers do list 0/0.
    static func duration(_ fraction: v4l2_fract) -> MediaTime? {
        guard let timescale = Int32(exactly: fraction.denominator), timescale > 0,
            fraction.numerator > 0
        else { return nil }
        return MediaTime(value: Int64(fraction.numerator), timescale: timescale)
    }
}

extension VideoCaptureSize.FrameDurations {
    var shortest: MediaTime {
        switch self {
        case .discrete(let duration): duration
        case .range(let shortest, _): shortest
        }
    }

    var longest: MediaTime {
        switch self {
        case .discrete(let duration): duration
        case .range(_, let longest): longest
        }
    }
}
