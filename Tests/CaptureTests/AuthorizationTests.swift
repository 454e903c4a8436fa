import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("may this program use a device")
struct AuthorizationTests {
    private static func camera(_ node: String) -> CaptureDevice {
        CaptureDevice(
            id: "v4l2:node:\(node)", name: "Camera", kind: .video, driver: "uvcvideo", node: node)
    }

    /// Ends the test's process with this status when something is not as it should be.
    private static func require(_ isTrue: Bool, _ number: Int32) {
        if !isTrue { exit(number) }
    }

    @Test("a node that is closed to the user is denied, and the sentence says what to do")
    func closedNode() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(in: "/tmp")
            let node = folder.file("video7")
            try Data().write(to: URL(fileURLWithPath: node))
            chmod(folder.path, 0o755)
            let camera = AuthorizationTests.camera(node)
            // a program of root's may do everything: as a user without a name
            if geteuid() == 0 {
                AuthorizationTests.require(setgroups(0, nil) == 0, 10)
                chown(node, 0, 0)
                chmod(node, 0)
                AuthorizationTests.require(camera.authorizationStatus == .authorized, 11)
                AuthorizationTests.require(seteuid(65_534) == 0, 12)
            }
            func status(_ mode: mode_t) -> CaptureAuthorizationStatus {
                let user = geteuid()
                seteuid(getuid())
                chmod(node, mode)
                seteuid(user)
                return camera.authorizationStatus
            }
            guard case .denied(let advice) = status(0o000) else { exit(13) }
            AuthorizationTests.require(
                advice.contains(node) && advice.contains("usermod -aG"), 14)
            // drivers open a node for both
            AuthorizationTests.require(status(0o444) != .authorized, 15)
            AuthorizationTests.require(status(0o666) == .authorized, 16)
            seteuid(getuid())
            unlink(node)
            seteuid(65_534)
            AuthorizationTests.require(camera.authorizationStatus == .authorized, 17)
            seteuid(getuid())
            exit(0)
        }
    }

    @Test("what is built in needs nobody's leave; a family that is not known opens nothing")
    func others() throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let camera = try discovery.find("test:", kind: .video)
        #expect(discovery.authorizationStatus(of: camera) == .authorized)
        let stranger = CaptureDevice(id: "moon:1", name: "Moon", kind: .video, driver: "moon")
        guard case .denied(let why) = discovery.authorizationStatus(of: stranger) else {
            Issue.record("opened by nobody")
            return
        }
        #expect(why.contains("moon:1"))
    }

    @Test("a sound server that does not answer is denied, with the way to start one")
    func noServer() throws {
        let folder = try TemporaryFolder()
        let provider = PulseProvider(server: "unix:\(folder.file("nobody"))")
        let device = CaptureDevice(
            id: "pulse:mic", name: "mic", kind: .audio, driver: "pulse")
        guard case .denied(let why) = provider.authorizationStatus(of: device) else {
            Issue.record("no server answers there")
            return
        }
        #expect(why.contains("start one"))
    }
}
