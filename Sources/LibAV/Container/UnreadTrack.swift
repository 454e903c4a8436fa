internal import CFFmpeg
package import Media

/// A track of a file that is no `DemuxedTrack`, because nothing here reads its codec.
package struct UnreadTrack: Sendable, Hashable {
    package let mediaType: MediaType
    /// libavcodec's name of the codec; "unknown" where it has none.
    package let codec: String

    /// - Returns: `nil` for what is neither picture, sound nor subtitles, and for cover art.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let parameters = stream.pointee.codecpar?.pointee,
            !stream.isCover
        else { return nil }
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO: mediaType = .video
        case AVMEDIA_TYPE_AUDIO: mediaType = .audio
        case AVMEDIA_TYPE_SUBTITLE: mediaType = .text
        default: return nil
        }
        codec =
            parameters.codec_id == AV_CODEC_ID_NONE
            ? "unknown" : String(cString: avcodec_get_name(parameters.codec_id))
    }
}
