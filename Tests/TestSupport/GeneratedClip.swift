/// A small movie made by ffmpeg, which shares no code with our own writers: the test camera's number
/// strip over one colour, and a tone.
package struct GeneratedClip: Sendable {
    /// A colour as limited-range codes of 8 bits.
    package struct Codes: Sendable, Hashable {
        package var luma: Int
        package var blue: Int
        package var red: Int

        package init(_ luma: Int, _ blue: Int, _ red: Int) {
            (self.luma, self.blue, self.red) = (luma, blue, red)
        }

        /// The largest difference of one of the three.
        package func distance(to other: Codes) -> Int {
            max(abs(luma - other.luma), abs(blue - other.blue), abs(red - other.red))
        }
    }

    package struct Tone: Sendable, Hashable {
        /// Hz.
        package var frequency = 440
        package var sampleRate = 48_000
        package var channels = 2

        package init(frequency: Int = 440, sampleRate: Int = 48_000, channels: Int = 2) {
            self.frequency = frequency
            self.sampleRate = sampleRate
            self.channels = channels
        }
    }

    package var width = 192
    package var height = 108
    /// Frames a second, as ffmpeg writes it.
    package var rate = "30"
    package var frames = 12
    package var firstNumber = 0
    package var color = Codes(120, 128, 128)
    /// Nil: no audio.
    package var tone: Tone? = Tone()
    package var pixelFormat = "yuv420p"
    /// Applied after drawing, such as an irregular `setpts`.
    package var filter = "null"
    package var coding = GeneratedClip.h264
    /// Further options of the output.
    package var options: [String] = []

    /// Close to the frame, quickly made.
    package static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "8"]

    package init() {}

    /// How long the frames are at their rate (seconds).
    private var seconds: Double {
        let parts = rate.split(separator: "/").compactMap { Double($0) }
        return Double(frames) * (parts.count > 1 ? parts[1] : 1) / (parts.first ?? 30)
    }

    /// The strip above the colour. An expression for each pixel costs as much as coding it many times over,
    /// so only the strip is drawn by one.
    private var drawing: String {
        func source(_ height: Int) -> String {
            // a limit on the output's frames would end the sound with them
            "color=c=gray:s=\(width)x\(height):r=\(rate),trim=end_frame=\(frames),format=yuv444p"
        }
        let bit = "mod(floor((N+\(firstNumber))/pow(2,23-floor(X*24/W))),2)"
        let strip = height / 12
        return "\(source(strip)),geq=lum='16+219*\(bit)':cb=128:cr=128[strip];"
            + "\(source(height - strip)),lutyuv=y=\(color.luma):u=\(color.blue):v=\(color.red)[rest];"
            + "[strip][rest]vstack,format=\(pixelFormat),\(filter)"
    }

    /// Writes it; the ending of the name states the container.
    package func write(to path: String) throws {
        var words = ["-v", "error", "-y", "-f", "lavfi", "-i", drawing]
        if let tone {
            let source =
                "sine=frequency=\(tone.frequency):sample_rate=\(tone.sampleRate):"
                + "duration=\(seconds)"
            words += ["-f", "lavfi", "-i", source, "-ac", "\(tone.channels)"]
        }
        words += ["-fps_mode", "passthrough"] + coding + options + [path]
        guard let ffmpeg = Program.tool("ffmpeg") else {
            throw MovieOracle.Failure(description: "ffmpeg is not installed")
        }
        let result = try ffmpeg.run(words)
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "ffmpeg \(path): \(result.errorText)")
        }
    }
}
