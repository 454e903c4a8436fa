import Compose
import Media

extension ExportReport.MetadataTrack {
    /// As reports of films and conversions say it.
    var json: JSONValue {
        .members(["name": name.map { .string($0) }, "samples": .integer(Int64(samples))])
    }
}
