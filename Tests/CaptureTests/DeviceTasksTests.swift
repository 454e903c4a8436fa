import Capture
import Media
import Testing

@Test("a task lists devices and finds one by a person's words without blocking its thread")
func devicesInTasks() async throws {
    let discovery = DeviceDiscovery()
    let camera = try await discovery.loadDevice("test:", kind: .video)
    #expect(camera == (try discovery.find("test:", kind: .video)))
    let listed = try await discovery.loadDevices(of: .video)
    #expect(listed.map(\.id) == (try discovery.devices(of: .video)).map(\.id))
    await #expect {
        _ = try await discovery.loadDevice("no such camera anywhere", kind: .video)
    } throws: { ($0 as? MediaError)?.code == .noSuchDevice }
}

@Test("a task reads, sets and locks a device's controls, and is refused as a thread is")
func controlsInTasks() async throws {
    let camera = try await DeviceDiscovery().loadDevice("test:", kind: .video)
    let controls = try DeviceControls(of: camera)
    let names = { (list: [DeviceControl]) in list.map(\.name) }
    #expect(names(try await controls.loadControls()) == names(try controls.list()))
    await #expect {
        _ = try await controls.loadControl(named: "no_such_control")
    } throws: { ($0 as? MediaError)?.code == .invalidSetting }
    await #expect {
        try await controls.setControls([("no_such_control", 1)])
    } throws: { ($0 as? MediaError)?.code == .invalidSetting }
    let inside = try await controls.runExclusiveConfiguration { (access) throws(MediaError) in
        try access.list().count
    }
    #expect(inside == (try controls.list()).count)
}
