import Testing

@testable import vcap

@Test("exit codes are those of the contract")
func exitCodes() {
    #expect(ExitCode.usage.rawValue == 64)
    #expect(ExitCode.ioError.rawValue == 74)
}
