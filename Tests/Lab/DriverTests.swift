import Foundation
import TestSupport
import Testing

extension Lab {
    /// The capture room's own tests that need a driver, run inside a guest that has it.
    @Suite struct DriverTests {
        @Test("the V4L2 room passes its tests on a single- and a multi-planar camera")
        func captureTests() throws {
            let folder = URL(fileURLWithPath: Program.vcap.path).deletingLastPathComponent()
            let bundle = folder.appending(path: "vcapPackageTests.xctest").path
            let guest = try Guest.run(
                "v4l2", [bundle], share: try Guest.emptyShare("v4l2"), timeout: 420)
            let said = guest.text("stdout") + guest.text("stderr")
            // a suite that was skipped also ends well: it must have run
            #expect(said.contains("Suite \"a V4L2 driver\" passed"), "\(said)")
            #expect(said.contains("unplugged camera comes back"), "\(said)")
        }
    }
}
