/// The words for a camera's own format that mean the same.
enum FormatNames {
    /// FFmpeg's name for the short forms people know from other tools.
    static func canonical(_ word: String) -> String {
        let lower = word.lowercased()
        return switch lower {
        case "yuyv", "yuy2": "yuyv422"
        case "uyvy": "uyvy422"
        case "yvyu": "yvyu422"
        case "mjpg", "jpeg": "mjpeg"
        case "i420", "yu12": "yuv420p"
        case "h265": "hevc"
        case "grey", "y8": "gray"
        case "y16": "gray16le"
        default: lower
        }
    }
}
