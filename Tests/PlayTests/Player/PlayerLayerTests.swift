import CSDL
import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Play

@Suite("A layer of a player", .serialized, .tags(.realTime, .mostlyWaits))
struct PlayerLayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func player(
        _ name: String = "a.mov", first: Int = 0, lead: MediaTime = .zero
    ) async throws -> Player {
        let clip = PlayedClip(frames: 60, firstNumber: first, hasAudio: false)
        return try Player(
            try PlayerItem(try await clip.write(to: folder.file(name))),
            settings: PlayerSettings(speaker: .none, lead: lead))
    }

    private func wait(for layer: PlayerLayer) -> PlayerLayer.Frame? {
        var frame: PlayerLayer.Frame?
        _ = waitUntil {
            frame = layer.newFrame()
            return frame != nil
        }
        return frame
    }

    @Test(
        "frames lie in the box as their fit says, in whole pixels",
        arguments: [
            (FitMode.contain, (0, 0, 192, 108), (0, 35, 200, 113)),
            (.blurred, (0, 0, 192, 108), (0, 35, 200, 113)),
            (.cover, (37, 0, 118, 108), (0, 0, 200, 183)),
            (.stretch, (0, 0, 192, 108), (0, 0, 200, 183)),
        ])
    func place(
        _ fit: FitMode, _ source: (Double, Double, Double, Double),
        _ target: (Double, Double, Double, Double)
    ) {
        let place = PlayerLayer.place(PixelSize(192, 108), in: PixelSize(200, 183), fit)
        func rectangle(_ sides: (Double, Double, Double, Double)) -> Rectangle {
            Rectangle(x: sides.0, y: sides.1, width: sides.2, height: sides.3)
        }
        #expect(place.source == rectangle(source) && place.target == rectangle(target))
    }

    @Test("a loop gets each frame when it is due and once; a box that changes has it drawn again")
    func loop() async throws {
        let player = try await player(lead: .milliseconds(100))
        let layer = PlayerLayer(player, size: PixelSize(384, 216))
        #expect(wait(for: layer)?.played.number == 0)
        #expect(layer.isReadyForDisplay && layer.newFrame() == nil)
        layer.setSize(PixelSize(96, 108))
        #expect(layer.newFrame()?.target == Rectangle(x: 0, y: 27, width: 96, height: 54))
        layer.setFit(.cover)
        #expect(layer.newFrame()?.source.width == 96)
        #expect(layer.videoRectangle == Rectangle(x: 0, y: 0, width: 96, height: 108))

        var seen: [Int64] = []
        var early = 0
        player.play()
        _ = waitUntil {
            let now = HostClock().now()
            if let frame = layer.newFrame(at: now) {
                seen.append(frame.played.number)
                if frame.played.hostTime > now { early += 1 }
            }
            return seen.last == 59
        }
        #expect(early == 0 && seen == seen.sorted() && Set(seen).count == seen.count)
        #expect(seen.count + layer.replacedFrames + player.counts.dropped >= 59, "\(seen)")
        #expect(seen.count > 30, "\(seen)")
        // what was on its way is not shown after a frame that was gone to
        player.setRate(1)
        #expect(await player.seek(to: .seconds(1)))
        player.pause()
        #expect(await player.seek(to: MediaTime(value: 17, timescale: 30)))
        _ = waitUntil { layer.newFrame()?.played.number == 17 }
        usleep(150_000)
        #expect(layer.newFrame() == nil)
        await player.stop()
    }

    @Test("another player takes its place, and one that went hands nothing over any more")
    func another() async throws {
        let (first, second) = (try await player(), try await player("b.mov", first: 100))
        let layer = PlayerLayer(size: PixelSize(192, 108))
        #expect(!layer.isReadyForDisplay && layer.newFrame() == nil && layer.videoRectangle == nil)
        let handed = Lock<[Int64]>([])
        layer.setPlayer(first)
        #expect(wait(for: layer) != nil)
        layer.setHandler { frame in handed.withLock { $0.append(frame.played.number) } }
        #expect(handed.withLock { $0 } == [0])
        #expect(await first.seek(to: .seconds(1)))
        layer.setPlayer(second)
        #expect(layer.player === second)
        #expect(waitUntil { handed.withLock { $0 } == [0, 30, 0] })
        #expect(await first.seek(to: .zero))
        #expect(await second.seek(to: MediaTime(value: 40, timescale: 30)))
        #expect(handed.withLock { $0 } == [0, 30, 0, 40])
        layer.setPlayer(nil)
        #expect(!layer.isReadyForDisplay)
        await first.stop()
        await second.stop()
    }

    @Test(
        "SDL draws its planes into its rectangles: the pixels are the frame's, beside them nothing")
    func drawnBySDL() async throws {
        let player = try await player()
        let layer = PlayerLayer(player, size: PixelSize(200, 183))
        #expect(await player.seek(to: MediaTime(value: 7, timescale: 30)))
        let frame = try #require(wait(for: layer))
        let surface = try #require(
            SDL_CreateRGBSurfaceWithFormat(0, 200, 183, 32, SDL_PIXELFORMAT_ARGB8888.rawValue))
        defer { SDL_FreeSurface(surface) }
        let renderer = try #require(SDL_CreateSoftwareRenderer(surface))
        defer { SDL_DestroyRenderer(renderer) }
        let pixels = frame.played.pixels
        let texture = try #require(
            SDL_CreateTexture(
                renderer, SDL_PIXELFORMAT_IYUV.rawValue,
                Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(pixels.width),
                Int32(pixels.height)))
        defer { SDL_DestroyTexture(texture) }
        let isUpdated = frame.withPlanes { planes in
            SDL_UpdateYUVTexture(
                texture, nil, planes.y, planes.yPitch, planes.u, planes.uPitch, planes.v,
                planes.vPitch)
        }
        #expect(isUpdated == 0)
        func rectangle(_ place: Rectangle) -> SDL_Rect {
            SDL_Rect(
                x: Int32(place.x), y: Int32(place.y), w: Int32(place.width), h: Int32(place.height))
        }
        var (source, target) = (rectangle(frame.source), rectangle(frame.target))
        #expect(SDL_RenderCopy(renderer, texture, &source, &target) == 0)
        SDL_RenderPresent(renderer)
        let drawn = try #require(surface.pointee.pixels)
        func grey(_ x: Int, _ y: Int) -> Int {
            Int(
                drawn.load(
                    fromByteOffset: y * Int(surface.pointee.pitch) + x * 4 + 1, as: UInt8.self))
        }
        #expect(grey(100, 10) == 0 && grey(100, 175) == 0)
        var off = 0
        for y in stride(from: 4, to: 108, by: 8) {
            for x in stride(from: 4, to: 192, by: 8) {
                let luma = pixels.withPlane(0) { Int($0.row(y)[x]) }
                let wanted = min(255, max(0, (luma - 16) * 255 / 219))
                let place = (Double(x) + 0.5, Double(y) + 0.5)
                let found = grey(
                    Int(target.x) + Int(place.0 * 200 / 192),
                    Int(target.y) + Int(place.1 * 113 / 108))
                if abs(found - wanted) > 24 { off += 1 }
            }
        }
        // rows and columns between two pixels may be either
        #expect(off < 20, "\(off)")
        await player.stop()
    }
}
