import Foundation
import TestSupport
import Testing

extension Lab {
    /// The capture room's own tests that need a driver, run inside a guest that has it.
    @Suite struct DriverTests {
        @Test("the V4L2 room passes its tests on a single- and a multi-planar camera")
        func cameras() throws {
            let said = try Self.runTests("v4l2")
            // a suite that was skipped also ends well: it must have run
            #expect(said.contains("Suite \"a V4L2 driver\" passed"), "\(said)")
            #expect(said.contains("unplugged camera comes back"), "\(said)")
            let listeners = said.split(separator: "\n").first { $0.hasPrefix("five listeners:") }
            print(try #require(listeners))
        }

        @Test("the ALSA room passes its tests on the kernel's loopback card")
        func soundCards() throws {
            let said = try Self.runTests("alsa")
            #expect(said.contains("Suite ALSALoopbackTests passed"), "\(said)")
        }

        /// - Returns: what the test runner said in the guest.
        private static func runTests(_ scenario: String) throws -> String {
            let guest = try ServingGuest.shared.run(
                scenario, [Installation.testBundle] + (Sweep.isWhole ? ["all"] : []),
                in: try Guest.emptyShare(scenario), timeout: Sweep.isWhole ? 1200 : 420)
            return guest.text("stdout") + guest.text("stderr")
        }
    }
}
