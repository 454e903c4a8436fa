import Capture
import Media

/// What cameras were set to, under a name of the user's own; each camera by its identity. A value.
struct CameraProfile: Sendable, Equatable {
    struct Camera: Sendable, Equatable {
        let id: String
        /// What a person calls it.
        let name: String
        let settings: [CameraSetting]
    }

    let name: String
    /// In the order they were saved first.
    var cameras: [Camera] = []

    static let schema = "vcap.profile/1"

    mutating func set(_ settings: [CameraSetting], of device: CaptureDevice) {
        let camera = Camera(id: device.id, name: device.name, settings: settings)
        if let index = cameras.firstIndex(where: { $0.id == device.id }) {
            cameras[index] = camera
        } else {
            cameras.append(camera)
        }
    }

    /// For a camera that it holds; else none.
    func settings(of device: CaptureDevice) -> [CameraSetting] {
        cameras.first { $0.id == device.id }?.settings ?? []
    }

    /// Refuses cameras of which the profile holds none, and says which of them it does not hold.
    func check(_ devices: [CaptureDevice]) throws(CommandFailure) {
        let others = devices.filter { device in !cameras.contains { $0.id == device.id } }
        if others.count == devices.count, let device = devices.first {
            throw CommandFailure(.usage, "\(notFor(device)); \(wayOut(device))")
        }
        for device in others { Console.shared.notice("\(notFor(device)): it stays as it is") }
    }

    private func notFor(_ device: CaptureDevice) -> String {
        let own = cameras.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        return "the profile \(name) is for \(own), not for \(device.name) (\(device.id))"
    }

    private func wayOut(_ device: CaptureDevice) -> String {
        "give its settings by hand (vcap controls --profiles lists them), and save what \(device.name) makes of "
            + "them with vcap controls -c SEL --save-profile \(name)"
    }
}

extension CameraProfile {
    /// - Parameter path: for errors.
    init(_ bytes: [UInt8], name: String, path: String) throws(CommandFailure) {
        let root = try JSON5File.parse(bytes, named: "the profile \(path)")
        guard root["schema"]?.text == Self.schema, let members = root["cameras"]?.members,
            !members.isEmpty
        else {
            throw CommandFailure(
                .configuration,
                "cannot read the profile \(path): it must hold schema: \"\(Self.schema)\" and cameras"
            )
        }
        self.name = name
        for member in members {
            let words = member.value["settings"]?.elements
            let settings = try words?.map { word throws(CommandFailure) in
                guard let setting = word.text.flatMap({ CameraSetting(words: $0) }) else {
                    throw CommandFailure(
                        .configuration,
                        "cannot read the profile \(path): \(word.compact) is not "
                            + ValueKind<CameraSetting>.control.expected)
                }
                return setting
            }
            guard let settings else {
                throw CommandFailure(
                    .configuration,
                    "cannot read the profile \(path): the camera \(member.key) has no settings")
            }
            cameras.append(
                Camera(
                    id: member.key, name: member.value["name"]?.text ?? member.key,
                    settings: settings))
        }
    }

    var json: JSONValue {
        let cameras = cameras.map { camera in
            (
                camera.id,
                JSONValue.members([
                    "name": .string(camera.name),
                    "settings": .array(camera.settings.map { .string($0.description) }),
                ])
            )
        }
        return .members(["schema": .string(Self.schema), "cameras": .object(cameras)])
    }
}
