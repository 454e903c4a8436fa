import Media
import Reading
import Recording

extension Verbs {
    static let probe = Command(
        "probe", "show what is in a movie: tracks, timing, edit lists, pauses, markers",
        operands: .init(synopsis: "FILE", count: 1...1, completion: .files),
        groups: [.init(title: "Options", options: [StandardOptions.json.spec])],
        notes:
            "Reads movies (mp4, mov, mkv, webm, ts, avi), audio and pictures; mp4, mov, mkv, webm and ts also while "
            + "they grow and after a crash. Times are seconds "
            + "of the movie; with --json they are exact, as ticks/timescale. The report of a take that a "
            + "crash cut off is closed as recovered.",
        examples: [
            .init(line: "vcap probe take.mp4", meaning: "for people"),
            .init(line: "vcap probe take.mp4 --json", meaning: "for programs, with exact times"),
            .init(line: "vcap probe -- -odd-name.mov", meaning: "a name that begins with a dash"),
        ]
    ) { arguments in
        let path = arguments.operands[0]
        let asset: Asset
        do { asset = try Asset.load(path) } catch {
            closeEmptyReport(of: path)
            throw error
        }
        closeReport(of: path)
        let depth = PhotoDepthListing(of: path, asset)
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(depth.added(to: AssetListing.json(asset)).pretty + "\n")
        } else {
            Console.shared.result(AssetListing.text(asset) + depth.text)
        }
        return .done
    }

    /// As below, of a movie that nothing can be read of.
    static func closeEmptyReport(of path: String) {
        do throws(MediaError) {
            guard try CrashedTake.closeReport(ofEmpty: path) != nil else { return }
            Console.shared.notice(
                "the take was cut by a crash before anything of it was written; its report is closed"
            )
        } catch { Console.shared.detail(error.message) }
    }

    /// A crash leaves the take's report open; the first who looks at the movie closes it, where that is allowed.
    private static func closeReport(of path: String) {
        do throws(MediaError) {
            guard let report = try CrashedTake.closeReport(of: path) else { return }
            Console.shared.notice(
                "the take was cut by a crash; its report is closed: \(report.state.rawValue)")
        } catch { Console.shared.detail(error.message) }
    }
}
