public import Media

/// What the cameras of a session take of a USB bus. A bus gives cameras only a part of its time, and one camera whose
/// share is not left cannot start.
public struct USBBusCost: Sendable, Hashable {
    /// The kernel's number of the bus.
    public var bus: Int
    /// Of the bus (Mbit/s).
    public var speed: Int
    /// In the order they were added.
    public var cameras: [Camera]

    /// One camera's part.
    public struct Camera: Sendable, Hashable {
        /// The camera.
        public var origin: SourceOrigin
        /// What it takes (bytes a second).
        public var bytesPerSecond: Int
        /// How that is known.
        public var basis: Basis

        /// - Parameters:
        ///   - origin: the camera.
        ///   - bytesPerSecond: what it takes.
        ///   - basis: how that is known.
        public init(origin: SourceOrigin, bytesPerSecond: Int, basis: Basis) {
            self.origin = origin
            self.bytesPerSecond = bytesPerSecond
            self.basis = basis
        }
    }

    /// How it is known what a camera takes.
    public enum Basis: String, Sendable, Hashable {
        /// It streams, and the kernel says what it has reserved.
        case reserved
        /// The size of its raw frames and their rate: it takes this at least.
        case raw
        /// Its frames are coded, and how many bytes they will have is guessed.
        case estimated
    }

    /// - Parameters:
    ///   - bus: the kernel's number.
    ///   - speed: of the bus (Mbit/s).
    ///   - cameras: those on it.
    public init(bus: Int, speed: Int, cameras: [Camera]) {
        self.bus = bus
        self.speed = speed
        self.cameras = cameras
    }

    /// What all cameras of the bus can take together (bytes a second).
    ///
    /// Source: USB 2.0, 5.6.4 and 5.6.3: of the 13 transactions of 1024 bytes that a microframe's time has room for at
    /// 480 Mbit/s, at most 80 % may be periodic, and a host schedules whole ones; 90 % at 12 Mbit/s. From 5 Gbit/s on the
    /// 90 % of what 8b/10b leaves.
    public var capacity: Int {
        switch speed {
        case ..<480: 1_023_000 * max(1, speed) / 12
        case 480: 5 * 1024 * 8000
        default: speed * 90_000
        }
    }

    /// What the cameras take (bytes a second).
    public var bytesPerSecond: Int { cameras.reduce(0) { $0 + $1.bytesPerSecond } }

    /// Their part of what the bus has: above 1 they cannot stream together.
    public var share: Double { Double(bytesPerSecond) / Double(capacity) }
}

extension VideoFormat {
    /// What a camera that delivers it takes of its bus: raw frames exactly, JPEGs as 3 bits a pixel, other coded ones
    /// as 1 bit for two (bytes a second).
    var busDemand: (bytesPerSecond: Int, basis: USBBusCost.Basis) {
        let rate = nominalRate?.approximate ?? 30
        if let pixelFormat {
            let bytes = pixelFormat.layout.planes.reduce(0) {
                $0 + $1.bytesPerRow(width: width) * $1.rows(height: height)
            }
            return (Int((Double(bytes) * rate).rounded()), .raw)
        }
        if let bayer {
            let bytes = max(bayer.bytesPerRow ?? 0, bayer.bytes(inRowOf: width)) * height
            return (Int((Double(bytes) * rate).rounded()), .raw)
        }
        let bits = codec == .mjpeg ? 3.0 : 0.5
        return (Int((Double(width * height) * bits / 8 * rate).rounded()), .estimated)
    }
}
