import Testing

@testable import Capture

@Suite("what has come and gone since the last look")
struct DeviceCensusTests {
    private func device(_ id: String) -> CaptureDevice {
        CaptureDevice(id: id, name: id, kind: .audio, driver: "d")
    }

    private func words(_ changes: [DeviceChange]) -> [String] {
        changes.map { change in
            switch change {
            case .appeared(let device): "+\(device.id)"
            case .disappeared(let id): "-\(id)"
            }
        }
    }

    private func look(_ census: inout DeviceCensus, _ now: [String: String]) -> [String] {
        words(census.update(to: now) { place in now[place].map(device) })
    }

    @Test("what came, what went and what stayed")
    func difference() {
        var census = DeviceCensus()
        #expect(look(&census, ["p1": "a", "p2": "b"]) == ["+a", "+b"])
        #expect(look(&census, ["p1": "a", "p2": "b"]).isEmpty)
        #expect(look(&census, ["p2": "b", "p3": "c"]) == ["-a", "+c"])
        #expect(look(&census, [:]) == ["-b", "-c"])
    }

    @Test("a device that moved went and came; one plugged again between two looks did too")
    func moves() {
        var census = DeviceCensus()
        _ = look(&census, ["p1": "a", "p2": "b"])
        #expect(look(&census, ["p1": "b", "p2": "a"]) == ["-a", "-b", "+b", "+a"])
        #expect(words(census.left("p1")) == ["-b"])
        #expect(words(census.left("p1")).isEmpty, "reported once")
        #expect(look(&census, ["p1": "b", "p2": "a"]) == ["+b"])
    }

    @Test("an announcement that comes late is not about the device that is there by then")
    func late() {
        var census = DeviceCensus()
        let device = device("a")
        let describe = { (_: String) in Optional(device) }
        #expect(words(census.update(to: ["p": "a"], number: 10, describe: describe)) == ["+a"])
        // gone (11) and there again (12), both seen by looks before the first of it is announced
        #expect(words(census.update(to: [:], number: 11, describe: describe)) == ["-a"])
        #expect(words(census.update(to: ["p": "a"], number: 12, describe: describe)) == ["+a"])
        #expect(census.left("p", number: 11).isEmpty, "reported by the look")
        #expect(census.update(to: ["p": "a"], number: 12, describe: describe).isEmpty)
        // what happens after the look that found it is
        #expect(words(census.left("p", number: 13)) == ["-a"])
        #expect(census.left("p", number: 13).isEmpty)
    }

    @Test("a node that is no capture device is asked once, and neither comes nor goes")
    func others() {
        var census = DeviceCensus()
        var asked = 0
        for _ in 0..<3 {
            let changes = census.update(to: ["meta": "m"]) { _ in
                asked += 1
                return nil
            }
            #expect(changes.isEmpty)
        }
        #expect(asked == 1)
        #expect(census.left("meta").isEmpty)
    }
}
