import Glibc

/// Runs one example: its name, then what it works on, the movie it makes last.
@main
struct Client {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            try await run(words.first ?? "", Array(words.dropFirst()))
        } catch {
            print(error)
            exit(1)
        }
    }

    static func run(_ example: String, _ files: [String]) async throws {
        switch example {
        case "camera-to-file": try await cameraToFile(files[0])
        case "two-cameras": try await twoCameras(files[0])
        case "rehearse": try await rehearse(files[0])
        case "photo":
            let bytes = try await takePhoto()
            let file = fopen(files[0], "w")
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        case "in-step": try await inStep()
        case "watched-recording": try await watchedRecording(files[0])
        case "images-to-movie":
            let images = (0..<50).map { [UInt8](repeating: UInt8($0 * 5), count: 320 * 180 * 4) }
            try await imagesToMovie(images, width: 320, height: 180, files[0])
        case "gif-to-movie": try await gifToMovie(files[0], files[1])
        case "remux": try await remux(files[0], files[1])
        case "transcode": try await transcode(files[0], files[1])
        case "two-tracks": try await twoTracks(files[0], files[1], files[2])
        case "eased-opening": try await easedOpening(files[0], files[1], files[2])
        case "timeline": try await timeline(files[0], files[1], music: files[2], files[3])
        case "mixed-audio": try await mixedAudio(voice: files[0], music: files[1], files[2])
        case "animated-title": try await animatedTitle("Hello", over: files[0], files[1])
        case "time-lapse": try await timeLapse(Array(files.dropLast()), files[files.count - 1])
        case "thumbnails": try await thumbnails(of: files[0])
        case "playing": try await playing(files[0])
        case "brightness": try await brightness(of: files[0])
        default:
            print("There is no example \(example).")
            exit(64)
        }
    }
}
