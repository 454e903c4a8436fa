/// The words of the command line, as they were typed.
enum TypedWords {
    /// A word that is no UTF-8 is refused: it could only be read as another one, and a file of that name is
    /// another file.
    static var all: Result<[String], CommandFailure> {
        do throws(CommandFailure) { return .success(try checked(bytes)) } catch {
            return .failure(error)
        }
    }

    /// The same with all of them, whatever they are: for looking for an option.
    static var roughly: [String] { bytes.map { String(decoding: $0, as: UTF8.self) } }

    private static var bytes: [[UInt8]] {
        let arguments = CommandLine.unsafeArgv
        return (1..<max(1, Int(CommandLine.argc))).compactMap { number in
            arguments[number].map { word in
                Array(UnsafeBufferPointer(start: word, count: length(word)))
                    .map { UInt8(bitPattern: $0) }
            }
        }
    }

    static func checked(_ words: [[UInt8]]) throws(CommandFailure) -> [String] {
        var texts: [String] = []
        for bytes in words {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure(
                    .usage,
                    "the word \(shown(bytes)) is not UTF-8, which vcap takes names in: rename the "
                        + "file, or type the word in a terminal that is set to UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    /// Bytes that no terminal takes for anything else.
    static func shown(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            (0x20...0x7E).contains(byte)
                ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
        }.joined()
    }

    private static func length(_ word: UnsafePointer<CChar>) -> Int {
        var count = 0
        while word[count] != 0 { count += 1 }
        return count
    }
}
