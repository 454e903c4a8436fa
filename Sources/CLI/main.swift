internal import CLinux
internal import Glibc

// glibc (2.36) lifts the bound above which memory is the system's own with every large block that is given
// back, and then keeps what closed decoders leave in pieces that nothing fits into
_ = mallopt(M_MMAP_THRESHOLD, 512 << 10)

exit(Invocation.runToEnd(TypedWords.all).rawValue)
