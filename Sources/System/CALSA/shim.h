#pragma once

#include <alsa/asoundlib.h>

// libasound prints its errors on stderr unless a handler is set, and a handler is variadic.
static void vcap_snd_discard(
    const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline void vcap_snd_discard_messages(void)
{
    snd_lib_error_set_handler(vcap_snd_discard);
}
