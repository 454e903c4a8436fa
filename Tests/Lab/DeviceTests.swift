import Foundation
import TestSupport
import Testing

extension Lab {
    /// Which devices there are, by which names, and why one cannot be had.
    @Suite struct DeviceTests {
        private struct Listing: Decodable {
            struct Device: Decodable {
                let name: String
                let id: String
                let node: String?
            }
            let cameras: [Device]
            let microphones: [Device]

            init(_ name: String, in guest: Guest) throws {
                self = try JSONDecoder().decode(Listing.self, from: Data(guest.text(name).utf8))
            }

            func microphone(at node: String) -> String? {
                microphones.first { $0.node == node }?.id
            }
        }

        private func attempt(
            _ name: String
        ) async throws -> (status: Double, said: String) {
            let guest = try await Scenario.refusals.guest()
            let said = guest.text("\(name).said")
            let errors = said.split(separator: "\n").filter { $0.contains("error: ") }
            let status = try guest.number("\(name).status")
            #expect(errors.count == (status == 0 ? 0 : 1), "one sentence: \(said)")
            return (status, said)
        }

        @Test(
            "a device in use is 75 and names the program that holds it",
            arguments: [("camera-busy", "v4l2-ctl"), ("sound-busy", "arecord")])
        func busy(name: String, program: String) async throws {
            let (status, said) = try await attempt(name)
            let pid = Int(try await Scenario.refusals.guest().number("\(name).pid"))
            #expect(status == 75)
            #expect(said.contains("\(program) (process \(pid))"), "\(said)")
        }

        @Test("who may not see the holder learns that there is one")
        func unseenHolder() async throws {
            let (status, said) = try await attempt("camera-busy-unseen")
            #expect(status == 75)
            #expect(said.contains("another program is using it"), "\(said)")
        }

        @Test(
            "a device without permission is 77 and names the group to join",
            arguments: [
                ("camera-forbidden", "video"), ("controls-forbidden", "video"),
                ("sound-forbidden", "audio"),
            ])
        func forbidden(name: String, group: String) async throws {
            let (status, said) = try await attempt(name)
            #expect(status == 77)
            #expect(said.contains("usermod -aG \(group) $USER"), "\(said)")
        }

        @Test(
            "a missing device is 69 and those present are named",
            arguments: [("camera-missing", "vivid (/dev/video0)"), ("sound-missing", "Loopback")])
        func missing(name: String, present: String) async throws {
            let (status, said) = try await attempt(name)
            #expect(status == 69)
            #expect(said.contains(present), "\(said)")
        }

        @Test("no refusal leaves a movie; nothing held and the right groups are no refusal")
        func controls() async throws {
            #expect(try await Scenario.refusals.guest().text("left").isEmpty)
            for name in ["camera-free", "both-in-groups"] {
                let (status, said) = try await attempt(name)
                #expect(status == 0, "\(said)")
            }
        }

        @Test("two alike sound cards that change numbers and ids keep their identities")
        func twins() async throws {
            let guest = try await Scenario.soundCards.guest()
            let before = try Listing("before.json", in: guest)
            let after = try Listing("after.json", in: guest)
            let first = "alsa:by-path:platform-snd_aloop.0,DEV=1"
            let second = "alsa:by-path:platform-snd_aloop.1,DEV=1"
            #expect(before.microphone(at: "hw:0,1") == first)
            #expect(before.microphone(at: "hw:1,1") == second)
            #expect(try guest.number("number") == 1, "they did change places")
            #expect(after.microphone(at: "hw:1,1") == first)
            #expect(after.microphone(at: "hw:0,1") == second)

            let same = try await Scenario.soundCards.take("by-identity")
            #expect(same.status == 0, "\(same.said)")
            #expect(try Sound(of: same.movie).isLoud, "the first port's card is recorded")
            // the control: by the id the kernel gave the first port's card before, it is the other
            let other = try await Scenario.soundCards.take("by-kernel-id")
            #expect(other.status == 0, "\(other.said)")
            #expect(try !Sound(of: other.movie).isLoud)
        }

        @Test("without udevd devices are found, and a camera that goes and comes is followed")
        func silentUdev() async throws {
            let guest = try await Scenario.silent.guest()
            #expect(guest.text("udev").contains("No such file"), "udev is silent")
            let listing = try Listing("devices.json", in: guest)
            #expect(listing.cameras.first?.id == "v4l2:node:/dev/video0")
            #expect(listing.microphone(at: "hw:0,1") == "alsa:hw:CARD=Loopback,DEV=1")

            let take = try await Scenario.silent.take("unplugged")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.video?.gaps.map(\.cause) == ["device-gone"])
            #expect(take.said.contains("is back"), "\(take.said)")
            let said = guest.text("stdout") + guest.text("stderr")
            #expect(said.contains("Test run with 2 tests"), "\(said)")
            #expect(!said.contains("skipped"), "\(said)")
        }
    }
}

extension Sound {
    /// Whether there is a tone in it.
    fileprivate var isLoud: Bool { samples.contains { abs($0) > 0.05 } }
}
