internal import CFFmpeg
internal import Glibc
internal import Media

/// What a file says about itself.
extension FormatContext {
    /// Most entries and chapters read (count), and longest text (bytes): a stranger's file may claim
    /// any.
    private static let countLimit = 10_000
    private static let textLimit = 64 << 10

    /// MPEG-TS has its title as the name of its service.
    var metadata: [(name: String, value: String)] {
        let entries = Self.entries(pointer.pointee.metadata)
        guard pointer.pointee.nb_programs == 1, let program = pointer.pointee.programs[0],
            !entries.contains(where: { $0.name.lowercased() == "title" }),
            let name = Self.entries(program.pointee.metadata)
                .first(where: { $0.name == "service_name" })?.value,
            name != Self.namelessService
        else { return entries }
        return entries + [("title", name)]
    }

    /// What libavformat calls a service without a name.
    private static let namelessService = "Service01"

    /// Attached frames, as many and as long as files of audio have them.
    var covers: [CoverArt] {
        streams.lazy.filter { $0.isCover }
            .map {
                UnsafeBufferPointer(
                    start: $0.pointee.attached_pic.data, count: Int($0.pointee.attached_pic.size))
            }
            .filter { 1...(16 << 20) ~= $0.count }.prefix(16).map { CoverArt(Array($0)) }
    }

    /// Files that lie in the file beside its tracks, such as fonts (count).
    var attachmentCount: Int {
        streams.count {
            !$0.isCover && $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
        }
    }

    /// Chapters whose times make sense.
    var chapters: [MuxerChapter] {
        guard let list = pointer.pointee.chapters else { return [] }
        let count = min(Int(pointer.pointee.nb_chapters), Self.countLimit)
        return (0..<count).compactMap { number in
            guard let chapter = list[number]?.pointee,
                let start = try? MediaTime(stamp: chapter.start, timeBase: chapter.time_base)
            else { return nil }
            let end = try? MediaTime(stamp: chapter.end, timeBase: chapter.time_base)
            let title = Self.entries(chapter.metadata).first { $0.name == "title" }?.value
            return MuxerChapter(
                range: MediaTimeRange(from: start, to: end.map { max(start, $0) } ?? start),
                title: title ?? "")
        }
    }

    private static func entries(_ dictionary: OpaquePointer?) -> [(name: String, value: String)] {
        var entries: [(name: String, value: String)] = []
        var last: UnsafeMutablePointer<AVDictionaryEntry>?
        while entries.count < countLimit,
            let entry = av_dict_get(dictionary, "", last, AV_DICT_IGNORE_SUFFIX)
        {
            last = entry
            guard strlen(entry.pointee.value) <= textLimit else { continue }
            entries.append(
                (String(cString: entry.pointee.key), String(cString: entry.pointee.value)))
        }
        return entries
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Whether it is a frame that stands for the file, and no track.
    var isCover: Bool { pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
}
