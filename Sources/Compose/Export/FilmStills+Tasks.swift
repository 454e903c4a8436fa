public import Media

// For tasks: what blocks, on a thread of its own.

extension FilmStills {
    /// As `frame(at:as:)`, on a thread of its own.
    public func makeFrame(
        at time: MediaTime, as form: Form = .png
    ) async throws(MediaError) -> [UInt8] {
        try await NamedThread.run("vcap-still") { () throws(MediaError) in
            try frame(at: time, as: form)
        }
    }

    /// As `contactSheet(columns:rows:width:as:)`, on a thread of its own.
    /// - Parameters:
    ///   - columns: frames across (count; positive).
    ///   - rows: frames down (count; positive).
    ///   - width: of the whole sheet (pixels; at least 64 for each column).
    ///   - form: of the file that is made.
    public func makeContactSheet(
        columns: Int = 4, rows: Int = 3, width: Int = 1280, as form: Form = .png
    ) async throws(MediaError) -> [UInt8] {
        try await NamedThread.run("vcap-still") { () throws(MediaError) in
            try contactSheet(columns: columns, rows: rows, width: width, as: form)
        }
    }

    /// As `waveform(width:height:as:)`, on a thread of its own.
    /// - Parameters:
    ///   - width: of the picture (pixels; 320…16,384).
    ///   - height: of the picture (pixels; 160…4,096).
    ///   - form: of the file that is made.
    public func makeWaveform(
        width: Int = 1600, height: Int = 360, as form: Form = .png
    ) async throws(MediaError) -> [UInt8] {
        try await NamedThread.run("vcap-still") { () throws(MediaError) in
            try waveform(width: width, height: height, as: form)
        }
    }
}
