internal import CLinux
internal import Glibc

// glibc (2.36) lifts the bound above which memory is the system's own with every large block that is given
// back, and then keeps what closed decoders leave in pieces that nothing fits into
_ = mallopt(M_MMAP_THRESHOLD, 512 << 10)

// as an encoder of AV1 would have to do beside threads that read the environment (`EncoderMessages` in LibAV)
setenv("SVT_LOG", "1", 0)

if let failure = OpenFiles.makeRoom() {
    Console.shared.error(failure.message)
    Console.shared.flush()
    exit(failure.code.rawValue)
}

exit(Invocation.runToEnd(TypedWords.all).rawValue)
