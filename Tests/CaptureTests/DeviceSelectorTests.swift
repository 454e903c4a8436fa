import Media
import Testing

@testable import Capture

@Suite("choosing a device")
struct DeviceSelectorTests {
    static let present = [
        CaptureDevice(
            id: "v4l2:by-id:usb-ACME_HD_1234", name: "HD Webcam", kind: .video,
            driver: "uvcvideo", node: "/dev/video0",
            aliases: ["/dev/v4l/by-id/usb-ACME_HD_1234"]),
        CaptureDevice(
            id: "v4l2:by-id:usb-ACME_HD_5678", name: "HD Webcam Pro", kind: .video,
            driver: "uvcvideo", node: "/dev/video2"),
        CaptureDevice(
            id: "v4l2:node:/dev/video4", name: "Grabber", kind: .video, driver: "vivid",
            node: "/dev/video4"),
    ]

    @Test(
        "a number, path, link, identity, name or part of a name means one device",
        arguments: [
            ("0", 0), ("2", 2), ("/dev/video2", 1), ("/dev/v4l/by-id/usb-ACME_HD_1234", 0),
            ("v4l2:by-id:usb-ACME_HD_5678", 1), ("HD Webcam", 0), ("hd webcam pro", 1),
            ("pro", 1), ("grab", 2),
        ])
    func resolves(text: String, index: Int) throws {
        let found = try DeviceSelector(text: text, kind: .video).choose(from: Self.present)
        #expect(found == Self.present[index])
    }

    @Test("words that fit several list the candidates")
    func ambiguous() throws {
        let error = #expect(throws: MediaError.self) {
            try DeviceSelector(text: "webcam", kind: .video).choose(from: Self.present)
        }
        #expect(error?.code == .ambiguousDevice)
        #expect(
            error?.message
                == "\"webcam\" means more than one camera: HD Webcam (/dev/video0), "
                + "HD Webcam Pro (/dev/video2); use a number, path or identity.")
    }

    @Test("words that fit none list those present", arguments: ["7", "/dev/video9", "x", ""])
    func missing(text: String) throws {
        let error = #expect(throws: MediaError.self) {
            try DeviceSelector(text: text, kind: .video).choose(from: Self.present)
        }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.message.contains("Grabber (/dev/video4)") == true)
        let none = #expect(throws: MediaError.self) {
            try DeviceSelector(text: text, kind: .audio).choose(from: [])
        }
        #expect(none?.message.contains("no microphone") == true)
    }

    @Test("a family's own words are asked of that family")
    func family() throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        #expect(try discovery.find("test:2,fps=5", kind: .audio).name == "Test microphone 2")
        #expect(try discovery.find("default", kind: .video).id == "test:")
        #expect(try discovery.find("0", kind: .video).id == "test:")
        #expect(throws: MediaError.self) { try discovery.find("test:nonsense", kind: .video) }
        let missing = #expect(throws: MediaError.self) {
            try discovery.find("alsa:hw:7", kind: .audio)
        }
        #expect(missing?.message.contains("Test microphone") == true)
    }

    @Test("the identity is the serial number's link, then the port's, then the node")
    func identity() {
        func identity(_ links: [String]) -> String {
            V4L2NodeInfo(node: "/dev/video3", label: "x", links: DeviceLinks(links: links)).identity
        }
        let byID = "/dev/v4l/by-id/usb-A_1-video-index0"
        let byPath = "/dev/v4l/by-path/pci-0-usb-0:1-video-index0"
        #expect(identity([byPath, byID]) == "v4l2:by-id:usb-A_1-video-index0")
        #expect(identity([byPath]) == "v4l2:by-path:pci-0-usb-0:1-video-index0")
        #expect(identity(["/dev/mycam"]) == "v4l2:node:/dev/video3")
        // a twin with the same serial number: only the port distinguishes them
        let twin = V4L2NodeInfo(
            node: "/dev/video3", label: "x",
            links: DeviceLinks(links: [byID, byPath], shared: [byID]))
        #expect(twin.identity == "v4l2:by-path:pci-0-usb-0:1-video-index0")
    }

    @Test("control names are those of v4l2-ctl")
    func controlNames() {
        #expect(V4L2Controls.snakeCase("Exposure Time, Absolute") == "exposure_time_absolute")
        #expect(
            V4L2Controls.snakeCase("White Balance Temperature, Auto")
                == "white_balance_temperature_auto")
        #expect(V4L2Controls.snakeCase("(Gain)") == "gain")
    }

    @Test("a value a control does not take is refused with those it takes")
    func controlValues() throws {
        let device = Self.present[0]
        let level = DeviceControl(
            name: "gain", label: "Gain", kind: .integer, range: 0...255, defaultValue: 0, value: 5)
        try level.check(255, on: device)
        let error = #expect(throws: MediaError.self) { try level.check(256, on: device) }
        #expect(error?.message == "Cannot set gain of HD Webcam to 256: it takes 0 to 255.")
        var menu = level
        menu.kind = .menu
        menu.menu = [.init(value: 1, label: "Manual"), .init(value: 3, label: "Auto")]
        let refused = #expect(throws: MediaError.self) { try menu.check(2, on: device) }
        #expect(refused?.message.contains("1 (Manual), 3 (Auto)") == true)
    }

    @Test(
        "a refused call becomes the sentence that helps",
        arguments: [
            (Int32(13), "open", MediaError.Code.notPermitted, "group video"),
            (16, "VIDIOC_S_FMT", .deviceBusy, "is using it"),
            (28, "VIDIOC_STREAMON", .noBandwidth, "USB"),
            (19, "VIDIOC_DQBUF", .deviceGone, "plug it in"),
            (22, "VIDIOC_S_FMT", .deviceFailed, "Invalid argument"),
        ])
    func failures(number: Int32, function: String, code: MediaError.Code, word: String) {
        let error = MediaError.v4l2(
            V4L2Node.Failure(function: function, errno: number), on: Self.present[0],
            doing: "open")
        #expect(error.code == code)
        #expect(error.errno == number && error.function == function)
        #expect(error.message.hasPrefix("Cannot open HD Webcam (/dev/video0): "))
        #expect(error.message.contains(word))
    }

    @Test("who holds a file open is found by name")
    func holder() throws {
        let own = try #require(FolderListing.linkTarget("/proc/self/exe"))
        #expect(FolderListing.names(in: "/proc/self/fd").count > 0)
        #expect(DeviceNodeAccess.holder(of: "/no/such/node") == nil)
        #expect(!own.isEmpty)
    }
}
