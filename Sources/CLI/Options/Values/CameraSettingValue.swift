import Capture

extension ValueKind where Value == CameraSetting {
    /// `exposure=1/60s`, or a control by its V4L2 name; on and off, true and false are 1 and 0.
    static var control: ValueKind {
        ValueKind(
            "NAME=VALUE",
            expected:
                "a setting such as exposure=1/60s, white-balance=auto or focus-point=0.3,0.7 (each 0 to 1), "
                + "or a control such as brightness=140"
        ) { CameraSetting(words: $0) }
    }
}

extension CameraSetting {
    /// All words, for help.
    static let summary =
        "exposure=1/60s|20ms|auto|manual|shutter-priority|aperture-priority, exposure-bias=-1EV, gain=4|auto, "
        + "exposure-point=0.3,0.7|auto, focus=0.35|auto (0 nearest, 1 farthest), focus-point=0.3,0.7|auto, "
        + "white-balance=5200K|auto|once, zoom=2x, pan=10deg, "
        + "tilt=-5deg, pan-speed=1, tilt-speed=1, torch=on|off, power-line=50Hz|60Hz|auto|off"
}
