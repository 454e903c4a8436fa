import Media
import Testing

@testable import vcap

/// The exit codes of failures are what scripts are written against: each kind, by what was being done.
@Suite("exit codes of the rooms' failures")
struct FailureCodeTests {
    typealias Row = (
        code: MediaError.Code, reading: ExitCode, writing: ExitCode, film: ExitCode
    )

    private static func same(_ code: MediaError.Code, _ exit: ExitCode) -> Row {
        (code, exit, exit, exit)
    }

    private static let files: [Row] = [
        (.noSuchFile, .noInput, .cannotCreate, .noInput),
        (.notPermitted, .notPermitted, .cannotCreate, .notPermitted),
        same(.cannotCreate, .cannotCreate), same(.alreadyExists, .cannotCreate),
        same(.inUse, .deviceBusy), same(.diskFull, .ioError), same(.ioError, .ioError),
    ]

    private static let media: [Row] = [
        same(.damagedFile, .badData), same(.decoderFailed, .badData),
        (.unsupported, .badData, .usage, .badData), (.overLimit, .badData, .usage, .badData),
        (.conversionFailed, .badData, .failedRunning, .badData),
        (.outOfMemory, .badData, .failedRunning, .badData),
        same(.invalidSetting, .usage), same(.encoderFailed, .failedRunning),
        same(.outOfOrder, .failedRunning),
        (.invalidState, .failedRunning, .failedRunning, .ioError),
        (.sourceSilent, .failedRunning, .failedRunning, .ioError),
    ]

    private static let devices: [Row] = [
        same(.noSuchDevice, .noDevice), same(.deviceGone, .noDevice), same(.noSignal, .noDevice),
        same(.deviceBusy, .deviceBusy), same(.noBandwidth, .deviceBusy),
        same(.ambiguousDevice, .usage), same(.unsupportedFormat, .usage),
        same(.deviceFailed, .failedRunning),
    ]

    private static let films: [Row] = [
        same(.invalidEdit, .badData), same(.invalidProject, .badData),
        same(.missingGlyphs, .badData), same(.compositorFailed, .failedRunning),
        same(.cancelled, .failedRunning), same(.notAligned, .notAligned),
    ]

    @Test("each kind of failure has its exit code while a movie is read, written or made a film of")
    func table() {
        let rows = Self.files + Self.media + Self.devices + Self.films
        #expect(Set(rows.map(\.code)).count == rows.count, "a kind stands there twice")
        for row in rows {
            #expect(ExitCode(row.code, while: .reading) == row.reading, "\(row.code) reading")
            #expect(ExitCode(row.code, while: .writing) == row.writing, "\(row.code) writing")
            #expect(ExitCode(row.code, while: .film) == row.film, "\(row.code) of a film")
        }
    }

    @Test("a kind that vcap does not know ends a command as any failure does")
    func unknown() {
        for use in CommandFailure.Use.allCases {
            #expect(ExitCode(MediaError.Code("tape-jammed"), while: use) == .failedRunning)
        }
    }

    @Test("a failure reaches the top with its own sentence, a refusal of the command line as it is")
    func sentences() {
        let full = MediaError(code: .diskFull, subject: "a.mp4", message: "The disk is full.")
        #expect(
            CommandFailure.from(full, while: .film) == CommandFailure(.ioError, "The disk is full.")
        )
        let usage = CommandFailure(.usage, "a verb is missing; see vcap help")
        #expect(CommandFailure.from(usage, while: .film) == usage)
        #expect(CommandFailure.from(CancellationError(), while: .reading).code == .failedRunning)
    }

    @Test("verbs that make films and conversions say so, all others read")
    func uses() {
        let films = CommandTable.commands.filter { $0.use == .film }.map(\.name)
        #expect(Set(films) == ["align", "compose", "convert", "export", "play", "thumbs"])
        #expect(CommandTable.commands.allSatisfy { $0.use != .writing })
    }
}
