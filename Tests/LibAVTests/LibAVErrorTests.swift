import LibAV
import Testing

@Test("an error number is told in libav's own words")
func errorText() {
    #expect(LibAVError.text(for: -12) == "Cannot allocate memory")
    #expect(LibAVError.text(for: -541_478_725) == "End of file")
}
