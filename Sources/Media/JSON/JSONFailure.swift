/// Why a text is not what it should be, and where.
package struct JSONFailure: Error, Equatable {
    package let position: TextPosition
    /// Without the file's name.
    package let message: String

    package init(position: TextPosition, message: String) {
        self.position = position
        self.message = message
    }
}
