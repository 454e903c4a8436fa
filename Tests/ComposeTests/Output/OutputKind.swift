import Foundation
import Media
import Movie
import Reading
import TestSupport
import Writing

@testable import Compose

/// The outputs that sessions make, each by its own way.
enum OutputKind: CaseIterable, Sendable {
    case film
    case copiedFilm
    case movie
    case copiedMovie
    case animation
    case pictures
    case picture

    /// Of the output's file; of frames the pattern.
    var name: String {
        switch self {
        case .film, .copiedFilm, .movie, .copiedMovie: "out.mp4"
        case .animation: "out.gif"
        case .pictures: "out-%02d.png"
        case .picture: "out.png"
        }
    }

    /// The name of the first file.
    var firstName: String { self == .pictures ? "out-01.png" : name }

    /// Under which that grows.
    var temporaryName: String {
        switch self {
        case .film, .copiedFilm: ".out.vcap-part.mp4"
        default:
            ".\(firstName.split(separator: ".")[0]).vcap-new.\(firstName.split(separator: ".")[1])"
        }
    }

    /// Of what is complete and could not have its name.
    var savedName: String { name.split(separator: ".").joined(separator: ".saved.") }

    var isMovie: Bool { ![.animation, .pictures, .picture].contains(self) }
    var isFilm: Bool { self == .film || self == .copiedFilm }
}

/// A session of any kind, and what all of them have.
struct OutputSession: Sendable {
    struct Report {
        let bytes: Int64
        let frames: Int64
        let elapsed: MediaTime
    }

    private enum Session {
        case export(ExportSession)
        case conversion(ConversionSession)
    }

    private let session: Session
    private let path: String

    /// - Parameter source: a clip with audio, of whose frames a film is made; of a frame a still one.
    init(
        _ kind: OutputKind, of source: Asset, in folder: TemporaryFolder, at subfolder: String = "",
        overwrites: Bool = false, clock: any MediaClock = HostClock()
    ) throws {
        path = folder.file(subfolder + kind.name)
        if kind.isFilm {
            var settings = ExportSettings(preset: kind == .film ? .highest : .passthrough)
            settings.overwrites = overwrites
            let timeline = Timeline(videos: [VideoItem(source.path)])
            session = .export(
                ExportSession(
                    try TimelineBuilder.film(loading: timeline), settings: settings, clock: clock))
            return
        }
        var settings = ConversionSettings()
        settings.overwrites = overwrites
        if kind == .movie { settings.size = PixelSize(width: 96, height: 54) }
        if !kind.isMovie { settings.audio = .leaveOut }
        session = .conversion(
            ConversionSession(Conversion(source, settings: settings), clock: clock))
    }

    var state: ExportState {
        switch session {
        case .export(let session): session.state
        case .conversion(let session): session.state
        }
    }

    /// How far it has come; nil: it has not begun.
    var progress: ExportProgress? {
        if case .exporting(let progress) = state { progress } else { nil }
    }

    func states() -> AsyncStream<ExportState> {
        switch session {
        case .export(let session): session.states(updateInterval: .milliseconds(1))
        case .conversion(let session): session.states(updateInterval: .milliseconds(1))
        }
    }

    func cancel() {
        switch session {
        case .export(let session): session.cancel()
        case .conversion(let session): session.cancel()
        }
    }

    func run() async throws(MediaError) -> Report {
        switch session {
        case .export(let session):
            let report = try await session.export(to: path)
            return Report(
                bytes: report.bytes, frames: report.frames, elapsed: report.elapsed)
        case .conversion(let session):
            let report = try await session.convert(to: path)
            return Report(
                bytes: report.bytes, frames: report.frames, elapsed: report.elapsed)
        }
    }

    /// Why it failed; nil where it did not.
    func failure() async -> MediaError? {
        do throws(MediaError) {
            _ = try await run()
            return nil
        } catch { return error }
    }
}
