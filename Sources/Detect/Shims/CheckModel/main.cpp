// vcap-check-model LIBRARY MODEL [N,C,H,W]: reads a model (ONNX) that comes from elsewhere, and lets it run, in a process
// that may die of it. Prints nothing and returns 0 where it is of use; else prints a half-sentence about the file and
// returns 1. What the numbers are is the library's matter.
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>

// What a model may take: address space (bytes) and time of a processor (seconds).
constexpr rlim_t most_memory = rlim_t(2) << 30, most_time = 20;

int main(int count, char **words) {
    int32_t shape[4] = {};
    const bool has_shape =
        count == 4 && std::sscanf(words[3], "%d,%d,%d,%d", &shape[0], &shape[1], &shape[2], &shape[3]) == 4;
    if (count != 3 && !has_shape) {
        std::fputs("Usage: vcap-check-model LIBRARY MODEL [N,C,H,W]\n", stderr);
        return 64;
    }
    // it ends with who asks
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct {
        __rlimit_resource kind;
        rlim_t most;
    } limits[] = {{RLIMIT_AS, most_memory}, {RLIMIT_CPU, most_time}, {RLIMIT_CORE, 0}};
    for (const auto &limit : limits) {
        // of the soft limit of time a signal says what it was; the hard one only ends it
        const rlim_t hard = limit.kind == RLIMIT_CPU ? limit.most + 5 : limit.most;
        const rlimit both = {limit.most, hard};
        if (setrlimit(limit.kind, &both) != 0) {
            std::puts("cannot be tried within limits");
            return 1;
        }
    }
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    using Check = int (*)(const char *, const int32_t *, char *, size_t);
    const auto check = library ? reinterpret_cast<Check>(dlsym(library, "vcap_check_model")) : nullptr;
    if (!check) {
        std::puts("cannot be tried: the library that runs it cannot be loaded");
        return 1;
    }
    char message[512] = "";
    if (check(words[2], has_shape ? shape : nullptr, message, sizeof message) == 0) return 0;
    std::puts(message);
    return 1;
}
