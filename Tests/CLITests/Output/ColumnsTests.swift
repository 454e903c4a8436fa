import Testing

@testable import vcap

@Suite("Tables of text")
struct ColumnsTests {
    @Test("columns are as wide as their widest cell and lines end without spaces")
    func columns() {
        var table = Table("A", "LONG")
        table.add("wider", "x")
        table.add("y", "")
        #expect(table.text == "A      LONG\nwider  x\ny\n")
    }
}
