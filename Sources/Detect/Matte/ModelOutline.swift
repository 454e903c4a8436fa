internal import Media

/// What a file of ONNX says of its model, before a library reads it. A value; reads bytes and trusts none of them.
///
/// Source: onnx.proto3 (ModelProto, GraphProto, NodeProto, ValueInfoProto, TensorProto) in protobuf's wire format.
struct ModelOutline: Sendable, Equatable {
    /// Of the first input that is no weight; `nil` where a dimension is left open.
    var inputShape: [Int?] = []
    /// What makes the first output, such as `Sigmoid`.
    var lastOperation = ""
    var nodes = 0

    /// Largest file (bytes), and most operations.
    static let (mostBytes, mostNodes) = (256 << 20, 20_000)

    /// Why bytes are no model that is read.
    struct Refusal: Error, Equatable { let reason: String }

    private var weights: Set<String> = []
    private var inputs: [(name: String, shape: [Int?])] = []
    private var output = ""
    private var makers: [String: String] = [:]

    static func == (one: ModelOutline, other: ModelOutline) -> Bool {
        one.inputShape == other.inputShape && one.lastOperation == other.lastOperation
            && one.nodes == other.nodes
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        guard bytes.count <= Self.mostBytes else {
            throw Refusal(reason: "is larger than \(Self.mostBytes >> 20) MB")
        }
        var hasVersion = false
        var graph: UnsafeRawBufferPointer?
        try Self.fields(bytes) { field throws(Refusal) in
            switch (field.number, field.value) {
            case (1, .number(let version)): hasVersion = (1...100).contains(version)
            case (7, .bytes(let bytes)): graph = bytes
            default: break
            }
        }
        guard hasVersion, let graph else { throw Refusal(reason: "is no model of ONNX") }
        try read(graph)
        guard let input = inputs.first(where: { !weights.contains($0.name) }) else {
            throw Refusal(reason: "has no input")
        }
        inputShape = input.shape
        lastOperation = makers[output] ?? ""
    }

    private mutating func read(_ graph: UnsafeRawBufferPointer) throws(Refusal) {
        try Self.fields(graph) { field throws(Refusal) in
            guard case .bytes(let bytes) = field.value else { return }
            switch field.number {
            case 1: try readNode(bytes)
            case 5: try readWeights(bytes)
            case 11: inputs.append(try Self.input(bytes))
            case 12 where output.isEmpty: output = try Self.name(bytes, field: 1)
            default: break
            }
        }
    }

    private mutating func readNode(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        nodes += 1
        guard nodes <= Self.mostNodes else {
            throw Refusal(reason: "has more than \(Self.mostNodes) operations")
        }
        var outputs: [String] = []
        var kind = ""
        try Self.fields(bytes) { field throws(Refusal) in
            guard case .bytes(let text) = field.value else { return }
            if field.number == 2 { outputs.append(String(decoding: text, as: UTF8.self)) }
            if field.number == 4 { kind = String(decoding: text.prefix(64), as: UTF8.self) }
        }
        for output in outputs { makers[output] = kind }
    }

    /// Weights that lie in other files are not read: a model opens no file.
    private mutating func readWeights(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        var name = ""
        try Self.fields(bytes) { field throws(Refusal) in
            switch (field.number, field.value) {
            case (8, .bytes(let text)): name = String(decoding: text, as: UTF8.self)
            case (13, _), (14, .number(1...)):
                throw Refusal(reason: "has weights in another file; give one that holds them")
            default: break
            }
        }
        weights.insert(name)
    }

    private static func input(
        _ bytes: UnsafeRawBufferPointer
    ) throws(Refusal) -> (name: String, shape: [Int?]) {
        var shape: [Int?] = []
        // ValueInfoProto.type, TypeProto.tensor_type, Tensor.shape, TensorShapeProto.dim
        for type in try parts(bytes, 2) {
            for tensor in try parts(type, 1) {
                for dimensions in try parts(tensor, 2) {
                    for dimension in try parts(dimensions, 1) {
                        var length: Int?
                        try fields(dimension) { field throws(Refusal) in
                            if field.number == 1, case .number(let value) = field.value {
                                length = Int(exactly: value).flatMap { $0 > 0 ? $0 : nil }
                            }
                        }
                        shape.append(length)
                    }
                }
            }
        }
        guard shape.count <= 8 else { throw Refusal(reason: "has an input of too many dimensions") }
        return (try name(bytes, field: 1), shape)
    }

    private static func name(
        _ bytes: UnsafeRawBufferPointer, field number: Int
    ) throws(Refusal) -> String {
        try parts(bytes, number).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func parts(
        _ bytes: UnsafeRawBufferPointer, _ number: Int
    ) throws(Refusal) -> [UnsafeRawBufferPointer] {
        var parts: [UnsafeRawBufferPointer] = []
        try fields(bytes) { field throws(Refusal) in
            if field.number == number, case .bytes(let part) = field.value { parts.append(part) }
        }
        return parts
    }

    // MARK: Protobuf's wire format

    private struct Field {
        enum Value {
            case number(UInt64)
            case bytes(UnsafeRawBufferPointer)
        }
        let number: Int
        let value: Value
    }

    private static func fields(
        _ bytes: UnsafeRawBufferPointer, _ body: (Field) throws(Refusal) -> Void
    ) throws(Refusal) {
        var place = 0
        func rest() -> Int { bytes.count - place }
        func number() throws(Refusal) -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                guard rest() > 0 else { break }
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 127) << UInt64(shift)
                if byte < 128 { return value }
            }
            throw Refusal(reason: "is damaged, or no model of ONNX")
        }
        while rest() > 0 {
            let key = try number()
            let value: Field.Value
            switch key & 7 {
            case 0: value = .number(try number())
            case 1, 5:
                let length = key & 7 == 1 ? 8 : 4
                guard rest() >= length else {
                    throw Refusal(reason: "is damaged, or no model of ONNX")
                }
                place += length
                continue
            case 2:
                guard let length = Int(exactly: try number()), length <= rest() else {
                    throw Refusal(reason: "is damaged, or no model of ONNX")
                }
                value = .bytes(
                    UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
                place += length
            default: throw Refusal(reason: "is damaged, or no model of ONNX")
            }
            guard key >> 3 > 0, key >> 3 < 1 << 29 else {
                throw Refusal(reason: "is damaged, or no model of ONNX")
            }
            try body(Field(number: Int(key >> 3), value: value))
        }
    }
}
