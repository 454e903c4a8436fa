internal import LibAV
public import Media

/// A matte by the user's model: of persons, of hair, of the sky, whatever it was trained for. A file of ONNX that takes a
/// picture and answers with one. Thread-safe; of one camera or movie.
///
/// Where the model says its input's size, that is taken; its layout (colours first or last) always. An output of one
/// channel is the foreground's share, one of two is background and foreground, of more one class is asked for. What the
/// model ends with says whether its values are shares already; what does not end with `Sigmoid` or `Softmax` gets one.
///
/// Source: OpenCV's networks (`cv::dnn`), loaded when the first model is read, which is first tried in a process of its own.
public final class ModelMatte: MatteGenerator {
    /// What the model takes and gives.
    public struct Settings: Sendable, Hashable {
        /// What a colour of 0 to 255 becomes.
        public enum Normalization: String, Sendable, Hashable, CaseIterable {
            /// 0 to 1.
            case unit
            /// −1 to 1.
            case signed
            /// By the means and deviations of ImageNet.
            case imagenet
        }

        /// *size of the picture it looks at (pixels; 16…2,048 a side; default what the model says, else 256x256)*
        public var size: PixelSize?
        /// *which of several classes is the foreground (from 0; default 1 of two; needed of more)*
        public var foregroundClass: Int?
        /// *what colours become (default `unit`)*
        public var normalization: Normalization

        /// - Parameters:
        ///   - size: of the picture it looks at.
        ///   - foregroundClass: which of several classes is the foreground.
        ///   - normalization: what colours become.
        public init(
            size: PixelSize? = nil, foregroundClass: Int? = nil,
            normalization: Normalization = .unit
        ) {
            self.size = size
            self.foregroundClass = foregroundClass
            self.normalization = normalization
        }
    }

    // immutable
    public let name = "model"
    /// The picture that the model looks at (pixels).
    public let size: PixelSize
    private let settings: Settings
    private let isColorLast: Bool
    private let isShare: Bool
    /// Values of what it answers (count).
    private let answerCount: Int

    private struct State: Sendable {
        let model: MatteLibrary.Model
        var converter: FrameConverter?
    }

    // guarded by itself
    private let state: Lock<State>

    /// Reads and tries a model. Blocks for a second or so.
    /// - Parameters:
    ///   - path: of the file (ONNX, at most 256 MB).
    ///   - settings: what it takes and gives.
    /// - Throws: `noSuchFile`; `unsupported`, with the reason, for a file that is no model, that has weights in other files,
    ///   that takes no picture of three colours, or that OpenCV cannot run, and where it is not installed.
    public init(path: String, _ settings: Settings = Settings()) throws(MediaError) {
        let library = try MatteLibrary.shared()
        let bytes = try ModelFile.read(path)
        self.settings = settings
        do throws(MediaError) {
            let made = try bytes.withUnsafeBytes { bytes in
                Result { () throws(MediaError) in try Self.read(bytes, of: path, settings, library)
                }
            }.get()
            (size, isColorLast, isShare) = (made.size, made.isColorLast, made.isShare)
            answerCount = made.answerCount
            state = Lock(State(model: made.model))
        } catch {
            let start = "The model "
            guard error.message.hasPrefix(start) else { throw error }
            throw error.describing(
                code: error.code, subject: path,
                message: "The model \(path) \(error.message.dropFirst(start.count))")
        }
    }

    private struct Reading: Sendable {
        let model: MatteLibrary.Model
        let size: PixelSize
        let answerCount: Int
        let isColorLast: Bool
        let isShare: Bool
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, of path: String, _ settings: Settings,
        _ library: MatteLibrary
    ) throws(MediaError) -> Reading {
        let outline: ModelOutline
        do throws(ModelOutline.Refusal) { outline = try ModelOutline(bytes) } catch {
            throw .model(error.reason)
        }
        let shape = outline.inputShape
        guard shape.count == 4, shape[0] ?? 1 == 1 else {
            throw .model("takes no single picture: its input has not the dimensions of one")
        }
        let isColorLast = shape[1] != 3 && shape[3] == 3
        guard isColorLast || shape[1] ?? 3 == 3 else {
            throw .model("takes no picture of three colours")
        }
        let own = (isColorLast ? shape[2] : shape[3], isColorLast ? shape[1] : shape[2])
        let size = PixelSize(
            settings.size?.width ?? own.0 ?? 256, settings.size?.height ?? own.1 ?? 256)
        guard (16...2048).contains(size.width), (16...2048).contains(size.height),
            own.0 ?? size.width == size.width, own.1 ?? size.height == size.height
        else {
            throw .model(
                "takes pictures of \(own.0.map(String.init) ?? "any")x"
                    + "\(own.1.map(String.init) ?? "any"), not of \(size.width)x\(size.height) "
                    + "(16 to 2048 a side)")
        }
        let inputShape = Self.shape(size, isColorLast)
        let model = try library.model(bytes, of: path, trying: inputShape)
        // what it answers is known before a camera is opened
        let (values, answer) = try model.run(
            [Float](repeating: 0, count: 3 * size.area), inputShape, most: mostValues)
        _ = try foreground(
            settings, ModelOutput(answer, of: size, isColorLast: isColorLast))
        try checkNumbers(values)
        return Reading(
            model: model, size: size, answerCount: values.count, isColorLast: isColorLast,
            isShare: ["Sigmoid", "Softmax", "Clip", "HardSigmoid"].contains(outline.lastOperation))
    }

    private static func shape(_ size: PixelSize, _ isColorLast: Bool) -> [Int32] {
        let (width, height) = (Int32(size.width), Int32(size.height))
        return isColorLast ? [1, height, width, 3] : [1, 3, height, width]
    }

    public func matte(of frame: SampleBuffer) throws(MediaError) -> Matte {
        guard let pixels = frame.pixelBuffer, var video = frame.format.video else {
            throw .model("looks at raw frames only")
        }
        video.coding = .raw(pixels.format)
        (video.width, video.height) = (pixels.width, pixels.height)
        return try state.withLock { state throws(MediaError) in
            let picture = try picture(pixels, video, &state)
            let (values, shape) = try state.model.run(
                input(picture), Self.shape(size, isColorLast), most: answerCount)
            return try matte(values, shape)
        }
    }

    /// Most values of an output that are read (count).
    private static let mostValues = 1 << 24

    private func picture(
        _ pixels: PixelBuffer, _ video: VideoFormat, _ state: inout State
    ) throws(MediaError) -> PixelBuffer {
        let converter: FrameConverter
        if let known = state.converter {
            converter = known
        } else {
            let target = VideoFormat(
                coding: .raw(.rgb24), width: size.width, height: size.height,
                color: ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full))
            converter = FrameConverter(to: target, limit: 2, exhaustion: .allocates)
            state.converter = converter
        }
        do throws(FrameConverter.Failure) { return try converter.convert(pixels, video) } catch {
            throw error.error
        }
    }

    private func input(_ picture: PixelBuffer) -> [Float] {
        let (mean, deviation): ([Float], [Float]) =
            switch settings.normalization {
            case .unit: ([0, 0, 0], [1, 1, 1])
            case .signed: ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])
            case .imagenet: ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
            }
        let tables = (0..<3).map { part in
            (0..<256).map { (Float($0) / 255 - mean[part]) / deviation[part] }
        }
        let (width, area) = (size.width, size.width * size.height)
        var input = [Float](repeating: 0, count: area * 3)
        picture.withPlane(0) { plane in
            for row in 0..<size.height {
                let line = plane.row(row)
                for column in 0..<width {
                    let place = row * width + column
                    for part in 0..<3 {
                        let value = tables[part][Int(line[column * 3 + part])]
                        input[isColorLast ? place * 3 + part : part * area + place] = value
                    }
                }
            }
        }
        return input
    }

    /// - Throws: `unsupported` where there is no answer at all in what was answered: a model that is broken.
    private static func checkNumbers(_ values: [Float]) throws(MediaError) {
        guard !values.contains(where: \.isNaN) else {
            throw .model("answers with values that are no numbers (NaN): it is damaged")
        }
    }

    private func matte(_ values: [Float], _ shape: [Int]) throws(MediaError) -> Matte {
        try Self.checkNumbers(values)
        let layout = try ModelOutput(shape, of: size, isColorLast: isColorLast)
        return layout.matte(
            values, try Self.foreground(settings, layout), isShare: isShare)
    }

    /// - Throws: `unsupported` for a class that it has not, and for none where it has several.
    private static func foreground(
        _ settings: Settings, _ layout: ModelOutput
    ) throws(MediaError) -> Int {
        let foreground = settings.foregroundClass ?? (layout.channels == 2 ? 1 : 0)
        guard foreground < layout.channels, settings.foregroundClass != nil || layout.channels <= 2
        else {
            throw .model(
                "has \(layout.channels) classes, from 0 on: say which one is the foreground")
        }
        return foreground
    }
}

/// How the values of a model's output lie.
struct ModelOutput: Sendable {
    let channels: Int
    let width: Int
    let height: Int
    let isChannelLast: Bool

    /// - Throws: `unsupported` for what is no picture.
    init(_ shape: [Int], of size: PixelSize, isColorLast: Bool) throws(MediaError) {
        guard shape.count == 4, shape[0] == 1, shape.allSatisfy({ $0 > 0 }) else {
            throw .model("answers with no picture (\(shape))")
        }
        // channels are fewer than rows and columns; of three dimensions the first is 1
        isChannelLast = isColorLast && shape[3] < shape[1] || shape[3] <= 2 && shape[1] > 2
        channels = isChannelLast ? shape[3] : shape[1]
        (height, width) = isChannelLast ? (shape[1], shape[2]) : (shape[2], shape[3])
        guard (2...4096).contains(width), (2...4096).contains(height), channels <= 1024 else {
            throw .model("answers with no picture (\(shape))")
        }
    }

    func matte(_ values: [Float], _ foreground: Int, isShare: Bool) -> Matte {
        let area = width * height
        var result = [UInt8](repeating: 0, count: area)
        for place in 0..<area {
            func value(_ channel: Int) -> Float {
                values[isChannelLast ? place * channels + channel : channel * area + place]
            }
            let own = value(foreground)
            let share: Float
            if isShare {
                share = own
            } else if channels == 1 {
                share = 1 / (1 + exponential(-own))
            } else {
                // of the largest, so that none overflows
                let most = (0..<channels).reduce(own) { max($0, value($1)) }
                let sum = (0..<channels).reduce(Float(0)) { $0 + exponential(value($1) - most) }
                share = exponential(own - most) / sum
            }
            result[place] = share.isNaN ? 0 : UInt8(min(max(share, 0), 1) * 255 + 0.5)
        }
        return Matte(result, width: width, height: height)
    }
}
