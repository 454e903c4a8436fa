public import Foundation

/// Writes models in ONNX's form, in the protocol buffers that it is made of: no model that was learnt is part of the tests.
/// Layers are in the order of their calls.
public struct ONNXModel {
    private var nodes: [UInt8] = []
    private var tensors: [UInt8] = []
    private var inputs: [UInt8] = []
    private var outputs: [UInt8] = []

    public enum Attribute {
        case float(Float)
        case integer(Int)
        case integers([Int])
    }

    private let opset: Int

    /// - Parameter opset: the version of its operations.
    public init(opset: Int = 9) { self.opset = opset }

    public var bytes: Data {
        let graph = nodes + Self.field(2, "tests") + tensors + inputs + outputs
        let opset = Self.field(8, Self.field(1, "") + Self.field(2, opset))
        return Data(Self.field(1, 6) + opset + Self.field(7, graph))
    }

    /// A layer with one output.
    public mutating func layer(
        _ type: String, _ inputs: [String], _ output: String,
        _ attributes: KeyValuePairs<String, Attribute> = [:]
    ) {
        var node = inputs.flatMap { Self.field(1, $0) } + Self.field(2, output)
        node += Self.field(3, output) + Self.field(4, type)
        for (name, value) in attributes {
            let rest: [UInt8] =
                switch value {
                case .float(let value):
                    [0x15] + Self.littleEndian(value.bitPattern) + Self.field(20, 1)
                case .integer(let value): Self.field(3, value) + Self.field(20, 2)
                case .integers(let values):
                    values.flatMap { Self.field(8, $0) } + Self.field(20, 7)
                }
            node += Self.field(5, Self.field(1, name) + rest)
        }
        nodes += Self.field(1, node)
    }

    /// Weights.
    /// - Parameter isElsewhere: whether they are said to lie in another file.
    public mutating func tensor(
        _ name: String, _ shape: [Int], _ values: [Float], isElsewhere: Bool = false
    ) {
        let raw = values.flatMap { Self.littleEndian($0.bitPattern) }
        let place = isElsewhere ? Self.field(14, 1) : []
        tensors += Self.field(5, Self.tensor(name, shape, type: 1, raw) + place)
    }

    public mutating func tensor(_ name: String, _ values: [Int64]) {
        let raw = values.flatMap { Self.littleEndian(UInt64(bitPattern: $0)) }
        tensors += Self.field(5, Self.tensor(name, [values.count], type: 7, raw))
    }

    /// A tensor that has nothing, not even a name.
    public mutating func emptyTensor() { tensors += Self.field(5, [UInt8]()) }

    /// - Parameter shape: `nil` for sides that are open.
    public mutating func input(_ name: String, _ shape: [Int?]) {
        inputs += Self.field(11, Self.value(name, shape))
    }

    public mutating func output(_ name: String, _ shape: [Int?]) {
        outputs += Self.field(12, Self.value(name, shape))
    }

    private static func tensor(
        _ name: String, _ shape: [Int], type: Int, _ raw: [UInt8]
    ) -> [UInt8] {
        shape.flatMap { field(1, $0) } + field(2, type) + field(8, name) + field(9, raw)
    }

    private static func value(_ name: String, _ shape: [Int?]) -> [UInt8] {
        let sides = shape.flatMap { side in field(1, side.map { field(1, $0) } ?? field(2, "n")) }
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, sides)))
    }

    private static func field(_ number: Int, _ value: Int) -> [UInt8] {
        varint(UInt64(number << 3)) + varint(UInt64(bitPattern: Int64(value)))
    }

    private static func field(_ number: Int, _ text: String) -> [UInt8] {
        field(number, Array(text.utf8))
    }

    private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(UInt64(number << 3 | 2)) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

extension ONNXModel {
    /// A model with YuNet's inputs and outputs (its form of March 2022) that takes a bright square for a face: of 32 pixels
    /// of what it looks at, on its grid of these, with a box of 64 around it. Its eyes are a fifth of a box apart to
    /// either side, the right one of the frame a tenth lower; the nose is to the right.
    /// - Parameters:
    ///   - isShort: whether it has fewer values for boxes than its grids.
    ///   - location: what is added to the sides of each box.
    public static func yuNet(isShort: Bool = false, location: Float = 0) -> ONNXModel {
        var model = ONNXModel()
        model.input("input", [1, 3, 270, 480])
        model.tensor("w", [1, 3, 3, 3], [Float](repeating: 1.0 / 27, count: 27))
        model.layer(
            "Conv", ["input", "w"], "grid2",
            [
                "kernel_shape": .integers([3, 3]), "strides": .integers([2, 2]),
                "pads": .integers([1, 1, 1, 1]),
            ])
        let half: KeyValuePairs<String, Attribute> = [
            "kernel_shape": .integers([2, 2]), "strides": .integers([2, 2]),
        ]
        model.layer("AveragePool", ["grid2"], "grid4", half)
        let places: [Float] = [-2, -1, 2, 0, 0.8, 0, -1, 2, 1, 2]
        for (step, boxes) in [(8, 3), (16, 2), (32, 2), (64, 3)] {
            model.layer("AveragePool", ["grid\(step / 2)"], "grid\(step)", half)
            for (name, each) in [("loc", 14), ("conf", 2), ("iou", 1)] {
                var weights = [Float](repeating: 0, count: boxes * each)
                var biases = weights
                switch name {
                case "loc":
                    let one = [Float](repeating: location, count: 4) + places
                    biases = (0..<boxes).flatMap { _ in one }
                case "conf": if step == 32 { (weights[1], biases[1]) = (0.01, -1.5) }
                default: biases = biases.map { _ in 1 }
                }
                let own = "\(name)\(step)"
                model.tensor("\(own)w", [boxes * each, 1, 1, 1], weights)
                model.tensor("\(own)b", [boxes * each], biases)
                model.tensor("\(own)s", [1, -1, Int64(each)])
                model.layer(
                    "Conv", ["grid\(step)", "\(own)w", "\(own)b"], "\(own)c",
                    ["kernel_shape": .integers([1, 1])])
                let isPart = name == "conf"
                if isPart {
                    model.layer(
                        "Clip", ["\(own)c"], "\(own)p", ["min": .float(0), "max": .float(1)])
                }
                model.layer(
                    "Transpose", [isPart ? "\(own)p" : "\(own)c"], "\(own)t",
                    ["perm": .integers([0, 2, 3, 1])])
                model.layer("Reshape", ["\(own)t", "\(own)s"], own)
            }
        }
        for name in ["loc", "conf", "iou"] {
            let steps = isShort && name == "loc" ? [8] : [8, 16, 32, 64]
            model.layer("Concat", steps.map { "\(name)\($0)" }, name, ["axis": .integer(1)])
            model.output(name, [1, 1, 1])
        }
        return model
    }

    /// A model whose weights are nowhere: OpenCV 4.6 dies of it.
    public static var deadly: ONNXModel {
        var model = ONNXModel()
        model.input("input", [1, 3, 270, 480])
        model.emptyTensor()
        model.layer("Conv", ["input", ""], "loc", ["kernel_shape": .integers([3, 3])])
        model.output("loc", [1, 1, 1])
        return model
    }
}
