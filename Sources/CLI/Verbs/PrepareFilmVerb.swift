internal import Glibc
import Media

extension Verbs {
    /// What `record --then compose` runs beside the take: not for people, and in no list.
    static let prepareFilm = Command(
        "prepare-film", "make the film of a take while it is recorded",
        operands: .init(synopsis: "TAKE", count: 1...1, completion: .none),
        groups: [
            .init(
                title: "Messages",
                options: StandardOptions.messages + [RecordOptions.minimumFree.spec])
        ],
        examples: [], handlesSignals: true, use: .film
    ) { arguments in
        guard let take = arguments.operands.first, let following = arguments.following.first
        else { return .usage }
        let composition = TakeComposition(
            path: take, arguments: following, words: arguments.followingWords)
        // what is found while the take grows is found again when it is whole
        let growing = GrowingTake(
            composition,
            reserve: try arguments(RecordOptions.minimumFree) ?? RecordOptions.standardReserve
        ) { Invocation.letSpeak(arguments) }
        growing.follow(STDIN_FILENO)
        do { return try await growing.firstExport().run() } catch {
            // it is the recorder's then
            guard growing.isWhole else { _exit(FilmProcess.leftCode) }
            throw growing.failure ?? error
        }
    }
}
