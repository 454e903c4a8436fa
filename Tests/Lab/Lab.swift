import Testing

/// Everything that needs the guest kernel. One guest at a time: what is measured inside is time.
@Suite(
    .serialized,
    .enabled(
        if: Installation.isComplete,
        "the lab needs qemu, a Debian kernel and more; scripts/install-deps lab installs them"))
enum Lab {}
