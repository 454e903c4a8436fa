import Capture
import Media

/// Options of `vcap controls` for profiles, besides `--profile`.
enum ProfileOptions {
    static let save = Option<String>(
        nil, "save-profile", .profile,
        "save what the camera is set to under this name, when everything else is set")
    static let list = Switch(nil, "profiles", "list the profiles and their settings, and stop")
    static let remove = Option<String>(
        nil, "remove-profile", .profile, "remove the profile of this name, and stop")
}

/// Lists and removes profiles, which needs no camera.
struct ProfileCommand {
    let arguments: Arguments
    private let profiles = CameraProfiles()

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// - Returns: whether that was what was asked for.
    func run() throws(CommandFailure) -> Bool {
        let isListing = arguments.isOn(ProfileOptions.list)
        let removed = try arguments(ProfileOptions.remove)
        guard isListing || removed != nil else { return false }
        let own = isListing ? ProfileOptions.list.spec : ProfileOptions.remove.spec
        let others = [
            ProfileOptions.list.spec, ProfileOptions.remove.spec, ProfileOptions.save.spec,
            RecordOptions.profile.spec, StandardOptions.camera.spec,
        ].filter { $0.long != own.long && arguments.isTyped($0) }.map(\.name)
        if let other = others.first ?? arguments.operands.first {
            throw CommandFailure(.usage, "\(own.name) stands alone: leave out \(other)")
        }
        if let removed {
            try profiles.remove(removed)
            Console.shared.notice("removed the profile \(removed)")
            return true
        }
        try list()
        return true
    }

    /// A profile that cannot be read is named among the others, and ends the list with its code.
    private func list() throws(CommandFailure) {
        var found: [CameraProfile] = []
        var failure: CommandFailure?
        for name in profiles.names {
            do throws(CommandFailure) { found.append(try profiles.load(name)) } catch {
                if let earlier = failure { Console.shared.notice(earlier.message) }
                failure = error
            }
        }
        if arguments.isOn(StandardOptions.json) {
            let all = JSONValue.members([
                "schema": "vcap.profiles/1",
                "profiles": .object(found.map { ($0.name, $0.json["cameras"] ?? .null) }),
            ])
            Console.shared.result(all.pretty + "\n")
        } else {
            Console.shared.result(text(found))
        }
        if let failure { throw failure }
    }

    private func text(_ found: [CameraProfile]) -> String {
        if found.isEmpty { return "there are no profiles\n" }
        var table = Table("PROFILE", "CAMERA", "SETTINGS")
        for profile in found {
            for camera in profile.cameras {
                table.add(
                    profile.name, "\(camera.name) (\(camera.id))",
                    camera.settings.map(\.description).joined(separator: " "))
            }
        }
        return table.text
    }
}
