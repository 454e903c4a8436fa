import Capture
import Media

extension Verbs {
    static let devices = Command(
        "devices", "list cameras and microphones",
        groups: [.init(title: "Options", options: [StandardOptions.json.spec])],
        notes: "The number, the node, the identity or a part of the name selects a device in other "
            + "verbs. The identity stays the same across reboots.",
        examples: [
            .init(line: "vcap devices", meaning: "what is there"),
            .init(line: "vcap devices --json", meaning: "the same for programs"),
            .init(line: "vcap formats -c test:", meaning: "what one of them can deliver"),
        ]
    ) { arguments in
        let discovery = DeviceDiscovery()
        let cameras = try discovery.devices(of: .video)
        let microphones = try discovery.devices(of: .audio)
        if arguments.isOn(StandardOptions.json) {
            let document = JSONValue.members([
                "schema": "vcap.devices/1",
                "cameras": .array(deviceList(cameras)),
                "microphones": .array(deviceList(microphones)),
            ])
            Console.shared.result(document.pretty + "\n")
        } else {
            Console.shared.result(deviceTable("CAMERA", cameras))
            Console.shared.result("\n" + deviceTable("MICROPHONE", microphones))
        }
        return .done
    }

    private static func deviceTable(_ title: String, _ devices: [CaptureDevice]) -> String {
        if devices.isEmpty { return "no \(title.lowercased())s\n" }
        var table = Table("", title, "NODE", "DRIVER", "IDENTITY")
        for (number, device) in devices.enumerated() {
            table.add("\(number)", device.name, device.node ?? "-", device.driver, device.id)
        }
        return table.text
    }

    private static func deviceList(_ devices: [CaptureDevice]) -> [JSONValue] {
        devices.enumerated().map { number, device in
            .members([
                "number": .integer(number),
                "name": .string(device.name),
                "id": .string(device.id),
                "driver": .string(device.driver),
                "node": device.node.map(JSONValue.string),
                "aliases": .array(device.aliases.map(JSONValue.string)),
            ])
        }
    }
}
