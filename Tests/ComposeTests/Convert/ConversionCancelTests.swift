import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Conversions that are cancelled")
struct ConversionCancelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An hour of a still picture.
    private func hour() throws -> Conversion {
        let path = folder.file("still.gif")
        try Data(PlainGIF.bytes(delays: [0], width: 64, height: 36))
            .write(to: URL(fileURLWithPath: path))
        var settings = ConversionSettings()
        settings.duration = .seconds(3600)
        settings.size = PixelSize(width: 320, height: 180)
        return Conversion(try Asset.load(path), settings: settings)
    }

    private func expectCancelled(_ session: ConversionSession) async {
        do throws(MediaError) {
            _ = try await session.convert(to: folder.file("clip.mp4"))
            Issue.record("it was converted")
        } catch {
            #expect(error.code == .cancelled)
            #expect(error.message.contains("clip.mp4") && error.message.contains("nothing is left"))
        }
    }

    @Test("one that runs ends with that reason, and nothing is left of it")
    func running() async throws {
        // at a certain moment, however busy the machine is: each picture asks the time
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ConversionSession(try hour(), clock: clock)
        clock.onAsk { if $0 == 1000 { session.cancel() } }
        await expectCancelled(session)
        // control: it had begun to write
        guard case .exporting(let progress) = session.state else {
            Issue.record("it had not begun: \(session.state)")
            return
        }
        #expect(progress.frames > 30 && progress.bytes > 0)
        #expect(folder.contents == ["still.gif"])
    }

    @Test("one that was cancelled before it began, encoding or copying, writes nothing")
    func before() async throws {
        let session = ConversionSession(try hour())
        session.cancel()
        await expectCancelled(session)
        #expect(folder.contents == ["still.gif"])
        let clip = try await NumberedClip(frames: 10).write(to: folder.file("a.mp4"))
        let copying = ConversionSession(Conversion(try Asset.load(clip.path)))
        copying.cancel()
        await expectCancelled(copying)
        #expect(folder.contents == ["a.mp4", "still.gif"])
    }
}
