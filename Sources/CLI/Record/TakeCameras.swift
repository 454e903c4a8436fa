import Capture
import Media
import Recording

/// Sets the cameras of a recording, and says what they are set to. Thread-safe; nothing waits.
final class TakeCameras: Sendable {
    /// What a camera was found to be, for programs.
    struct Answer: Sendable {
        let camera: CaptureDevice
        /// Of what was set, else all that there are words for.
        let settings: [GrantedCameraSetting]
        /// When they were taken (host clock); `nil` where nothing was set.
        var time: MediaTime?
        let controls: JSONValue
    }

    // immutable
    private let session: CaptureSession
    /// Each once, in the order they were given.
    private let cameras: [CaptureDevice]
    private let choice: DeviceChoice
    private let recorder: Recorder

    init(
        _ session: CaptureSession, _ cameras: [CaptureDevice], _ choice: DeviceChoice,
        of recorder: Recorder
    ) {
        self.session = session
        self.cameras = cameras
        self.choice = choice
        self.recorder = recorder
    }

    /// - Parameters:
    ///   - settings: none asks for what there is.
    ///   - selector: words for a camera; `nil` for the first.
    ///   - completion: called once, on another thread.
    func set(
        _ settings: [CameraSetting], of selector: String?,
        completion: @escaping @Sendable (Result<Answer, CommandFailure>) -> Void
    ) {
        Task {
            do {
                completion(.success(try await answer(settings, selector)))
            } catch {
                completion(.failure(CommandFailure.from(error, while: .reading)))
            }
        }
    }

    /// Reports what others set, until its task is cancelled.
    func followOthers() async {
        var notices = ForeignSettingNotices()
        for await event in session.events {
            guard case .settingChangedByOthers(let device, let setting, let time) = event else {
                continue
            }
            let words = setting.description
            recorder.noteControl(
                words, granted: words, of: device.name, id: device.id, at: time, isByOthers: true)
            if let words = notices.words(for: setting, of: device, at: time) {
                Console.shared.notice(words)
            }
        }
    }

    private func answer(
        _ settings: [CameraSetting], _ selector: String?
    ) async throws -> Answer {
        let named = try await camera(selector)
        // it may have come back at another node
        let grant = await session.grant(of: named)
        let (device, orientation) = (grant?.device ?? named, grant?.orientation ?? .upright)
        guard !settings.isEmpty else {
            let controls = try await controls(of: device)
            let present = CameraSetting.present(among: controls).map {
                GrantedCameraSetting(wanted: $0, granted: $0, controls: []).shown(orientation)
            }
            return Answer(
                camera: device, settings: present, controls: listing(device, controls))
        }
        let (granted, time) = try await session.apply(settings, to: device)
        for setting in granted {
            recorder.noteControl(
                setting.wanted.description, granted: setting.granted?.description,
                of: device.name, id: device.id, at: time)
            Console.shared.notice("\(device.name): \(setting)")
        }
        let names = granted.flatMap(\.controls)
        let controls = try await controls(of: device).filter { names.contains($0.name) }
        return Answer(
            camera: device, settings: granted, time: time, controls: listing(device, controls))
    }

    private func controls(of device: CaptureDevice) async throws -> [DeviceControl] {
        try await DeviceControls(of: device, discovery: choice.discovery).loadControls()
    }

    private func listing(_ device: CaptureDevice, _ controls: [DeviceControl]) -> JSONValue {
        ControlListing.json(device, controls)["controls"] ?? .array([])
    }

    private func camera(_ selector: String?) async throws -> CaptureDevice {
        guard let first = cameras.first else {
            throw CommandFailure(.usage, "this recording has no camera that could be set")
        }
        guard let selector else { return first }
        var present: [CaptureDevice] = []
        for camera in cameras { present.append(await session.grant(of: camera)?.device ?? camera) }
        return try await choice.find(selector, among: present)
    }
}
