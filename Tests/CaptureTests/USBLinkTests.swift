import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

/// A /sys of files and links, as a kernel shows two cameras on one bus.
private struct SystemTree {
    let folder: TemporaryFolder
    private let root = "devices/pci0000:00/0000:00:14.0/usb3"

    init() throws {
        folder = try TemporaryFolder()
        try write("480", "\(root)/speed")
        try write("3", "\(root)/busnum")
        try link("bus/usb/devices/usb3", to: root)
    }

    var path: String { folder.path }

    func write(_ text: String, _ name: String) throws {
        let file = folder.file(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
    }

    private func link(_ name: String, to target: String) throws {
        let file = folder.file(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: folder.file(target))
    }

    func plug(_ node: String, port: String, speed: String = "480") throws {
        let device = "\(root)/\(port)"
        try write(speed, "\(device)/speed")
        try write("3", "\(device)/busnum")
        try write("7", "\(device)/\(port):1.1/bAlternateSetting")
        try write("01", "\(device)/\(port):1.1/bInterfaceNumber")
        try link("class/video4linux/\(node)/device", to: "\(device)/\(port):1.1")
    }

    /// What the device says of itself: its interface in settings 0, 1 (a smaller one) and 7, with one endpoint each but
    /// in the first, whose sizes have packets a microframe in bits 12 and 11.
    func describe(port: String, endpoints: [(address: UInt8, size: UInt16)]) throws {
        func interface(_ setting: UInt8) -> [UInt8] { [9, 4, 1, setting, 1, 14, 2, 0, 0] }
        func endpoint(_ address: UInt8, _ size: UInt16) -> [UInt8] {
            [7, 5, address, 5, UInt8(size & 0xFF), UInt8(size >> 8), 1]
        }
        var bytes: [UInt8] = [18, 1] + [UInt8](repeating: 0, count: 16)
        bytes += interface(0) + interface(1) + endpoint(0x81, 192) + interface(7)
        for (address, size) in endpoints { bytes += endpoint(address, size) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("\(root)/\(port)/descriptors")))
    }

    /// An endpoint of a camera's interface, as it is while its alternate setting is chosen: the size in /sys lacks the
    /// packets a microframe.
    func reserve(
        port: String, endpoint: String, type: String = "Isoc", direction: String = "in",
        size: String, interval: String
    ) throws {
        let place = "\(root)/\(port)/\(port):1.1/\(endpoint)"
        try write(type, "\(place)/type")
        try write(direction, "\(place)/direction")
        try write(size, "\(place)/wMaxPacketSize")
        try write(interval, "\(place)/interval")
    }
}

@Suite("Cameras on a USB bus")
struct USBLinkTests {
    @Test("a camera's bus, port and what it has reserved are read from /sys")
    func streaming() throws {
        let tree = try SystemTree()
        try tree.plug("video0", port: "3-1.2")
        let idle = try #require(USBLink(node: "/dev/video0", system: tree.path))
        #expect(idle.bus == 3)
        #expect(idle.busSpeed == 480)
        #expect(idle.port == "3-1.2")
        #expect(idle.reserved == nil)
        // three packets of 1024 bytes in each microframe
        try tree.reserve(port: "3-1.2", endpoint: "ep_81", size: "0400", interval: "125us")
        #expect(USBLink(node: "/dev/video0", system: tree.path)?.reserved == nil)
        try tree.describe(port: "3-1.2", endpoints: [(0x81, 0x1400), (0x86, 0x00C0)])
        // what takes no bus time of its own, or is no input
        try tree.reserve(
            port: "3-1.2", endpoint: "ep_83", type: "Interrupt", size: "0010", interval: "16ms")
        try tree.reserve(
            port: "3-1.2", endpoint: "ep_04", direction: "out", size: "0400", interval: "1ms")
        let streaming = try #require(USBLink(node: "/dev/video0", system: tree.path))
        #expect(streaming.reserved == 3 * 1024 * 8000)
        // a microphone beside it, once a millisecond
        try tree.reserve(port: "3-1.2", endpoint: "ep_86", size: "00c0", interval: "1ms")
        #expect(
            USBLink(node: "/dev/video0", system: tree.path)?.reserved == 3 * 1024 * 8000 + 192_000)
    }

    @Test("a camera that is on no USB bus has no link, and bursts of SuperSpeed are not known")
    func others() throws {
        let tree = try SystemTree()
        #expect(USBLink(node: "/dev/video7", system: tree.path) == nil)
        try tree.write("vivid", "class/video4linux/video8/device/name")
        #expect(USBLink(node: "/dev/video8", system: tree.path) == nil)
        try tree.plug("video0", port: "3-4", speed: "5000")
        try tree.reserve(port: "3-4", endpoint: "ep_81", size: "0400", interval: "125us")
        #expect(USBLink(node: "/dev/video0", system: tree.path)?.reserved == nil)
    }

    private func grant(_ node: String, _ format: VideoFormat) -> CaptureGrant {
        CaptureGrant(
            device: CaptureDevice(
                id: "v4l2:\(node)", name: node, kind: .video, driver: "uvcvideo",
                node: "/dev/\(node)"),
            format: .video(format), explanation: "")
    }

    @Test(
        "two raw cameras that a bus cannot carry have a share above one, and two of JPEGs have not")
    func shares() throws {
        let tree = try SystemTree()
        try tree.plug("video0", port: "3-1")
        try tree.plug("video2", port: "3-2")
        let find: (CaptureDevice) -> USBLink? = { device in
            device.node.flatMap { USBLink(node: $0, system: tree.path) }
        }
        let raw = VideoFormat(
            coding: .raw(.yuyv422), width: 1280, height: 720, nominalRate: FrameRate(15))
        let pair = ["video0", "video2"].map { grant($0, raw) }
        let buses = USBBusCost.costs(of: pair + [grant("video9", raw)], link: find)
        try #require(buses.count == 1)
        #expect(buses[0].cameras.map(\.bytesPerSecond) == [27_648_000, 27_648_000])
        #expect(buses[0].cameras.allSatisfy { $0.basis == .raw })
        // 55.3 of 41 MB/s
        #expect((buses[0].share - 1.35).magnitude < 0.01)
        let coded = VideoFormat(
            coding: .coded(.mjpeg), width: 1280, height: 720, nominalRate: FrameRate(30))
        let light = USBBusCost.costs(
            of: ["video0", "video2"].map { grant($0, coded) }, link: find)
        #expect(light[0].share < 0.6)
        #expect(light[0].cameras.allSatisfy { $0.basis == .estimated })
        // what the kernel says comes before what a format needs
        for (port, size) in [("3-1", UInt16(0x1400)), ("3-2", 0x0B00)] {
            try tree.reserve(port: port, endpoint: "ep_81", size: "0400", interval: "125us")
            try tree.describe(port: port, endpoints: [(0x81, size)])
        }
        let known = USBBusCost.costs(
            of: ["video0", "video2"].map { grant($0, coded) }, link: find)
        #expect(known[0].cameras.map(\.bytesPerSecond) == [24_576_000, 2 * 768 * 8000])
        #expect(known[0].cameras.allSatisfy { $0.basis == .reserved })
    }

    @Test("a session of cameras without a bus costs none")
    func builtIn() async throws {
        let session = MultiCameraSession()
        try await session.configure { configuration in
            for name in ["test:1", "test:2"] {
                let camera = try DeviceDiscovery().find(name, kind: .video)
                try configuration.add(CaptureDeviceInput(camera: camera), VideoDataOutput())
            }
        }
        #expect(await session.usbBuses.isEmpty)
        #expect(await session.hardwareCost == 0)
    }
}
