internal import Glibc

/// Where a device is plugged in, as the kernel says it in /sys.
struct USBLink: Sendable, Hashable {
    /// The kernel's number of the bus: all devices of one share its time.
    let bus: Int
    /// Of the bus (Mbit/s).
    let busSpeed: Int
    /// The place on the bus (`3-1.2`).
    let port: String
    /// What the device's isochronous inputs have reserved now (bytes a second); `nil` while it does not stream, and of
    /// SuperSpeed devices, whose bursts /sys does not state.
    let reserved: Int?

    /// - Parameters:
    ///   - node: of a camera (`/dev/video0`).
    ///   - system: where sysfs is mounted.
    /// - Returns: nil for a device that is on no USB bus.
    init?(node: String, system: String = "/sys") {
        guard let name = node.split(separator: "/").last,
            var folder = Self.resolved("\(system)/class/video4linux/\(name)/device")
        else { return nil }
        // the device's interface, and above it the device itself
        while Self.number("\(folder)/busnum") == nil {
            guard let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else {
                return nil
            }
            folder = String(folder[..<slash])
        }
        guard let bus = Self.number("\(folder)/busnum"),
            let speed = Self.number("\(folder)/speed"),
            let port = folder.split(separator: "/").last
        else { return nil }
        self.bus = bus
        busSpeed = Self.number("\(system)/bus/usb/devices/usb\(bus)/speed") ?? speed
        self.port = String(port)
        let bytes = speed > 480 ? 0 : Self.reserved(folder, port: self.port)
        reserved = bytes > 0 ? bytes : nil
    }

    /// Of all interfaces as they are set now; 0 where one of them is not known.
    private static func reserved(_ folder: String, port: String) -> Int {
        let descriptors = bytes("\(folder)/descriptors", most: 65_536)
        var sum = 0
        for interface in names(in: folder) where interface.hasPrefix(port + ":") {
            let place = "\(folder)/\(interface)"
            for name in names(in: place) where name.hasPrefix("ep_") {
                guard text("\(place)/\(name)/type") == "Isoc",
                    text("\(place)/\(name)/direction") == "in"
                else { continue }
                guard
                    let number = text("\(place)/bInterfaceNumber").flatMap({ Int($0, radix: 16) }),
                    let setting = text("\(place)/bAlternateSetting").flatMap({ Int($0) }),
                    let address = Int(name.dropFirst(3), radix: 16),
                    let size = packetSize(descriptors, number, setting, address),
                    let interval = text("\(place)/\(name)/interval").flatMap(microseconds),
                    interval > 0
                else { return 0 }
                sum += (size & 0x7FF) * (size >> 11 & 3 + 1) * 1_000_000 / interval
            }
        }
        return sum
    }

    /// wMaxPacketSize as the device states it: the attribute of that name in /sys has only its low eleven bits.
    ///
    /// Source: USB 2.0, 9.6.5 and 9.6.6: bits 10…0 are bytes, 12…11 further packets in a microframe.
    private static func packetSize(
        _ descriptors: [UInt8], _ interface: Int, _ setting: Int, _ endpoint: Int
    ) -> Int? {
        var rest = descriptors[...]
        var isWanted = false
        while rest.count >= 2, rest[rest.startIndex] >= 2,
            Int(rest[rest.startIndex]) <= rest.count
        {
            let descriptor = Array(rest.prefix(Int(rest[rest.startIndex])))
            rest = rest.dropFirst(descriptor.count)
            if descriptor[1] == 4, descriptor.count >= 9 {
                isWanted = Int(descriptor[2]) == interface && Int(descriptor[3]) == setting
            }
            if descriptor[1] == 5, descriptor.count >= 7, isWanted, Int(descriptor[2]) == endpoint {
                return Int(descriptor[4]) | Int(descriptor[5]) << 8
            }
        }
        return nil
    }

    private static func microseconds(_ text: String) -> Int? {
        if text.hasSuffix("us") { return Int(text.dropLast(2)) }
        return text.hasSuffix("ms") ? Int(text.dropLast(2)).map { $0 * 1000 } : nil
    }

    private static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

    /// A short file's first line, without spaces around it.
    private static func text(_ path: String) -> String? {
        let line = bytes(path, most: 64).prefix { $0 != 0x0A }.filter { $0 > 0x20 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The first bytes of a file; none of one that cannot be read.
    private static func bytes(_ path: String, most: Int) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: most)
        let count = read(file, &bytes, most)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
