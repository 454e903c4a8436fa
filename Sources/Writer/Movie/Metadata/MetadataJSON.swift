package import Media

/// A metadata sample as MP4 files hold it: `{"items":[{"key":"com.example.code","value":"4006"}]}`.
///
/// What JSON cannot say exactly is there as bytes in hexadecimal digits (`data` instead of `value`): data, text that
/// is no UTF-8 or has a NUL, numbers that are none. JSON that is not written as ours is a text (`text`). So the
/// bytes of every sample come back as they were.
package enum MetadataJSON {
    /// The text of a sample in a file.
    package static func text(of block: BlockBuffer, _ format: MetadataFormat) -> BlockBuffer {
        let text = block.withUnsafeBytes { bytes -> String in
            guard let items = MetadataPacking.items(in: bytes, of: format) else {
                return JSONValue.object([("bytes", .string(hex(bytes)))]).compact
            }
            let values = items.map { item in
                value(bytes[item.value], format.keys[item.key])
            }
            return JSONValue.object([("items", .array(values))]).compact
        }
        return BlockBuffer(Array(text.utf8))
    }

    /// - Returns: nil where a file's bytes are no sample of the format.
    package static func packed(_ text: BlockBuffer, _ format: MetadataFormat) -> BlockBuffer? {
        guard text.count <= longest else { return nil }
        let value: JSONValue
        do throws(JSONFailure) {
            value = try JSONParser.parse(text.bytes, as: .json, longest: longest)
        } catch { return nil }
        if let raw = value["bytes"]?.text { return bytes(ofHex: raw).map { BlockBuffer($0) } }
        guard let items = value["items"]?.elements else { return nil }
        var result: [UInt8] = []
        for item in items {
            guard let name = item["key"]?.text,
                let key = format.keys.firstIndex(where: { $0.identifier == name }),
                let bytes = bytes(of: item, format.keys[key].dataType),
                result.count + bytes.count <= MetadataFormat.largestSample
            else { return nil }
            MetadataPacking.append(bytes, key: key, to: &result)
        }
        return BlockBuffer(result)
    }

    /// Bytes are two digits each, characters at most six, and every item has its key's name.
    private static let longest = 16 * MetadataFormat.largestSample

    // MARK: Items

    private static func value(
        _ bytes: UnsafeRawBufferPointer.SubSequence, _ key: MetadataFormat.Key
    ) -> JSONValue {
        let name = ("key", JSONValue.string(key.identifier))
        if let exact = exact(bytes, key.dataType) {
            let plain = JSONValue.object([name, ("value", exact)])
            if self.bytes(of: plain, key.dataType)?.elementsEqual(bytes) ?? false { return plain }
        }
        if key.dataType == .json, let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains("\0")
        {
            return .object([name, ("text", .string(text))])
        }
        return .object([name, ("data", .string(hex(bytes)))])
    }

    /// The value as JSON has it; nil where it does not.
    private static func exact(
        _ bytes: UnsafeRawBufferPointer.SubSequence, _ dataType: MetadataDataType
    ) -> JSONValue? {
        switch MetadataValue(dataType, bytes: bytes) {
        case .text(let text): text.unicodeScalars.contains("\0") ? nil : .string(text)
        case .json(let text): parsed(text)
        case .integer(let value): .integer(value)
        case .unsignedInteger(let value): .integer(value)
        case .number(let value): value.isFinite ? .number(value) : nil
        case .point(let x, let y): list([x, y])
        case .rectangle(let x, let y, let width, let height): list([x, y, width, height])
        case .data, nil: nil
        }
    }

    private static func parsed(_ text: String) -> JSONValue? {
        do throws(JSONFailure) {
            return try JSONParser.parse(Array(text.utf8), as: .json)
        } catch { return nil }
    }

    private static func list(_ values: [Float]) -> JSONValue? {
        guard values.allSatisfy(\.isFinite) else { return nil }
        return .array(values.map { .number(written: "\($0)") })
    }

    private static func bytes(of item: JSONValue, _ dataType: MetadataDataType) -> [UInt8]? {
        if let digits = item["data"]?.text { return bytes(ofHex: digits) }
        if dataType == .json, let text = item["text"]?.text { return Array(text.utf8) }
        guard let value = item["value"] else { return nil }
        return self.value(value, dataType)?.bytes
    }

    private static func value(_ json: JSONValue, _ dataType: MetadataDataType) -> MetadataValue? {
        switch dataType {
        case .text: json.text.map { .text($0) }
        case .json: .json(json.compact)
        case .integer: json.digits.flatMap { Int64($0) }.map { .integer($0) }
        case .unsignedInteger: json.digits.flatMap { UInt64($0) }.map { .unsignedInteger($0) }
        case .number: json.digits.flatMap { Double($0) }.map { .number($0) }
        case .point: json.floats(2).map { .point(x: $0[0], y: $0[1]) }
        case .rectangle:
            json.floats(4).map {
                .rectangle(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
            }
        case .data: nil
        }
    }

    // MARK: Digits

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(ofHex text: String) -> [UInt8]? {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension JSONValue {
    fileprivate var digits: String? {
        if case .number(let text) = content { text } else { nil }
    }

    fileprivate func floats(_ count: Int) -> [Float]? {
        guard let elements, elements.count == count else { return nil }
        let values = elements.compactMap { $0.digits.flatMap { Float($0) } }
        return values.count == count ? values : nil
    }
}
