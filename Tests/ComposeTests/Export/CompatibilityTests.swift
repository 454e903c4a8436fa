import Compose
import Media
import Movie
import Reading
import TestSupport
import Testing

@Suite("What a film can be exported to", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CompatibilityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func film(
        _ name: String = "a.mp4", tone: GeneratedClip.Tone? = .init()
    ) throws -> Film {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (96, 54, 6, tone)
        try clip.write(to: folder.file(name))
        return try Film(tracksOf: try Asset.load(folder.file(name)))
    }

    @Test("each kind of file that is named can be made, and no other", arguments: ExportPreset.all)
    func containers(preset: ExportPreset) async throws {
        let film = try film()
        let session = ExportSession(film, settings: ExportSettings(preset: preset))
        let named = try await session.compatibleContainers()
        var made: [OutputContainer] = []
        for container in OutputContainer.allCases {
            let path = folder.file("\(preset.name).\(container.rawValue)")
            do throws(MediaError) {
                _ = try await ExportSession(film, settings: ExportSettings(preset: preset))
                    .export(to: path, as: container)
                made.append(container)
            } catch {}
        }
        #expect(named == made)
        #expect(named.contains(preset.video == nil && !preset.isPassthrough ? .wav : .mp4))
    }

    @Test("a preset is compatible with a film where something is left of it")
    func presets() async throws {
        let film = try film()
        #expect(await ExportPreset.compatible(with: film) == ExportPreset.all)
        #expect(
            await ExportPreset.compatible(with: film, for: .matroska)
                == ExportPreset.all.filter { !$0.isPassthrough })
        #expect(await ExportPreset.compatible(with: film, for: .flac) == [.audioOnly])
        let silent = try self.film("b.mp4", tone: nil)
        #expect(
            await ExportPreset.compatible(with: silent)
                == ExportPreset.all.filter { $0 != .audioOnly })
        // what is scaled has to be rendered
        var small = film
        small.videoComposition = try VideoComposition(
            propertiesOf: film.composition, assets: film.assets)
        small.videoComposition?.renderScale = 0.5
        #expect(await !ExportPreset.compatible(with: small).contains(.passthrough))
        let error = await #expect(throws: MediaError.self) {
            try await ExportSession(
                Film(composition: Composition(), videoComposition: nil)
            ).compatibleContainers()
        }
        #expect(error?.code == .invalidSetting)
    }
}
