import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("udev's links as identities")
struct DeviceLinksTests {
    private let root = "/dev/snd"

    /// What udev says of two cards of one kind: the same product and no serial number, so both claim
    /// one by-id link, which the one announced last has won.
    private func twins(numbers: [Int]) -> [UdevDevice] {
        zip(numbers, ["1", "2"]).map { number, port in
            UdevDevice(
                node: "/dev/snd/controlC\(number)", name: "controlC\(number)",
                claims: [
                    "/dev/snd/by-id/usb-C-Media_USB_PnP-00",
                    "/dev/snd/by-path/pci-0000:00:14.0-usb-0:\(port):1.0",
                ])
        }
    }

    /// The links as they lie in the folders: each by-path link is its device's, the by-id link the
    /// last device's.
    private func isCurrent(_ devices: [UdevDevice]) -> (String, String) -> Bool {
        { link, node in
            let owners = devices.filter { $0.claims.contains(link) }
            return owners.last?.node == node
        }
    }

    private func identities(_ devices: [UdevDevice]) -> [String: String] {
        DeviceLinks.byNode(of: devices, under: root, isCurrent: isCurrent(devices))
            .mapValues { $0.identity(under: root) ?? "none" }
    }

    @Test("alone, a device is named by its serial number; twins by their ports")
    func twinsByPort() {
        let pair = twins(numbers: [1, 2])
        #expect(
            identities(pair) == [
                "/dev/snd/controlC1": "by-path:pci-0000:00:14.0-usb-0:1:1.0",
                "/dev/snd/controlC2": "by-path:pci-0000:00:14.0-usb-0:2:1.0",
            ])
        #expect(
            identities([pair[0]]) == ["/dev/snd/controlC1": "by-id:usb-C-Media_USB_PnP-00"])
    }

    @Test("twins numbered the other way round after a reboot keep their identities")
    func swapped() {
        let cards = """
             1 [Device         ]: USB-Audio - USB PnP Sound Device
                                  C-Media USB PnP Sound Device at usb-1, full speed
             2 [Device_1       ]: USB-Audio - USB PnP Sound Device
                                  C-Media USB PnP Sound Device at usb-2, full speed

            """
        let pcms = """
            01-00: USB Audio : USB Audio : playback 1 : capture 1
            02-00: USB Audio : USB Audio : playback 1 : capture 1

            """
        func nodes(_ numbers: [Int]) -> [String: String] {
            let devices = twins(numbers: numbers)
            let links = DeviceLinks.byNode(
                of: devices, under: root, isCurrent: isCurrent(devices))
            let found = ALSACards(cards: cards, pcms: pcms, links: links).captureDevices
            return Dictionary(found.map { ($0.id, $0.pcmName) }) { first, _ in first }
        }
        let first = "alsa:by-path:pci-0000:00:14.0-usb-0:1:1.0,DEV=0"
        let second = "alsa:by-path:pci-0000:00:14.0-usb-0:2:1.0,DEV=0"
        #expect(nodes([1, 2]) == [first: "hw:1,0", second: "hw:2,0"])
        #expect(nodes([2, 1]) == [first: "hw:2,0", second: "hw:1,0"])
        // what both claim means none of them, whichever was announced last
        for numbers in [[1, 2], [2, 1]] {
            let devices = twins(numbers: numbers)
            let links = DeviceLinks.byNode(
                of: devices, under: root, isCurrent: isCurrent(devices))
            let found = ALSACards(cards: cards, pcms: pcms, links: links)
            let shared = "by-id:usb-C-Media_USB_PnP-00,DEV=0"
            #expect(found.devices(named: shared).map(\.pcmName) == ["hw:1,0", "hw:2,0"])
            #expect(found.device(named: shared) == nil)
            let listed = found.captureDevices.map { $0.captureDevice(withFormats: false) }
            let error = #expect(throws: MediaError.self) {
                try DeviceSelector(text: shared, kind: .audio).choose(from: listed)
            }
            #expect(error?.code == .ambiguousDevice)
        }
    }

    @Test("two virtual cameras of one label have identities of their own, by their numbers")
    func virtualTwins() {
        func camera(_ number: Int, _ label: String) -> UdevDevice {
            UdevDevice(
                node: "/dev/video\(number)", name: "video\(number)",
                claims: [
                    "/dev/v4l/by-id/virtual-\(label)",
                    "/dev/v4l/by-id/virtual-\(label)-video\(number)",
                ])
        }
        let devices = [camera(10, "Cam"), camera(11, "Cam"), camera(12, "Other")]
        let links = DeviceLinks.byNode(
            of: devices, under: "/dev/v4l", isCurrent: isCurrent(devices))
        #expect(
            links.mapValues { $0.identity(under: "/dev/v4l") } == [
                "/dev/video10": "by-id:virtual-Cam-video10",
                "/dev/video11": "by-id:virtual-Cam-video11",
                "/dev/video12": "by-id:virtual-Other",
            ])
    }

    @Test("a virtual camera's label with slashes and blanks becomes one name and no folders")
    func labelWithSlashes() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let rules = try String(
            contentsOf: root.appending(path: "udev/61-vcap-virtual-camera-links.rules"),
            encoding: .utf8)
        let folder = try TemporaryFolder(in: "/tmp")
        try Data("Room 1/left\n".utf8).write(to: URL(fileURLWithPath: folder.file("name")))
        let rule = try #require(rules.split(separator: "\n").first { $0.contains("PROGRAM=") })
        let match = try #require(rule.firstMatch(of: /PROGRAM="\/bin\/sh -c '([^']*)'"/))
        let line = match.1.replacing("$sys%p", with: folder.path)
        let result = try #require(Program.tool("sh")).run(["-c", String(line)])
        #expect(result.outputText == "Room_1_left\n")
        #expect(rule.contains("ATTR{name}==\"*/*\""))
        // nobody else makes a link of such a label
        let plain = rules.split(separator: "\n").filter { $0.contains("$attr{name}") }
        #expect(!plain.isEmpty && plain.allSatisfy { $0.contains("ATTR{name}!=\"*/*\"") })
    }

    @Test("a device udev knows no links of has none")
    func unknown() {
        let bare = UdevDevice(node: "/dev/snd/controlC0", name: "controlC0", claims: [])
        #expect(identities([bare]) == ["/dev/snd/controlC0": "none"])
        #expect(DeviceLinks.link("by-id:X", under: root) == "/dev/snd/by-id/X")
        #expect(DeviceLinks.link("hw:1", under: root) == nil)
    }
}
