// vcap-window [kms] WIDTH HEIGHT TITLE | [kms] check: a window that shows pictures, in a process of its own, so that whatever
// becomes of a display (its server is killed, its driver crashes or never returns) costs the program that records nothing.
// With kms it is the whole screen of a machine without a desktop, which the kernel drives.
//
// Standard input has pictures, one after the other, until it ends, which closes the window:
//   "VCPI", width, height, length of what follows (32 bits each, little endian), when it is to be seen (64 bits, nanoseconds
//   of the clock that CLOCK_MONOTONIC reads; at once where that is over): width × height × 3 bytes of red, green and blue,
//   row by row
//   "VCPF" and three words of 0: fill the screen with the window, or no longer
// Standard output has lines:
//   size WIDTH HEIGHT SCALE   what a picture must have to fill the window (pixels; per cent of the usual density)
//   shown                     the last picture was given to the display, and there is room for the next one; of a check:
//                             there is a display
//   key WORD                  a key was pressed: the UTF-8 of its text in hexadecimal, 1b, 0d, 08, 09, 03, or left, right,
//                             up, down
//   held WORD                 it is being held
//   close                     the window is to be closed
//   error SENTENCE            why there is none; it is the last line
#include <SDL2/SDL.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

// A picture's greatest side (pixels).
#define LARGEST 8192

// One picture on its way from the reader to the window.
typedef struct {
    uint32_t width, height;
    int64_t due;  // ns
    uint8_t *bytes;
    size_t capacity;
} picture;

static picture next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static int is_full;
static uint32_t arrival;  // number of the event that a picture is there; the next one: fill the screen

static int fail(const char *what) {
    printf("error %s: %s\n", what, SDL_GetError());
    fflush(stdout);
    return 1;
}

// Returns whether all of it came.
static int read_all(void *bytes, size_t count) {
    uint8_t *place = bytes;
    while (count > 0) {
        const ssize_t got = read(STDIN_FILENO, place, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        place += got;
        count -= (size_t)got;
    }
    return 1;
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Reads the next picture. Returns 0 at the end, and for what is none.
static int read_picture(void) {
    uint8_t header[16], due[8];
    if (!read_all(header, sizeof header)) return 0;
    while (memcmp(header, "VCPF", 4) == 0) {
        SDL_Event event;
        memset(&event, 0, sizeof event);
        event.type = arrival + 1;
        SDL_PushEvent(&event);
        if (!read_all(header, sizeof header)) return 0;
    }
    if (memcmp(header, "VCPI", 4) != 0 || !read_all(due, sizeof due)) return 0;
    const uint32_t width = word(header + 4), height = word(header + 8), length = word(header + 12);
    if (width == 0 || height == 0 || width > LARGEST || height > LARGEST) return 0;
    if (length != width * height * 3) return 0;
    if (next.capacity < length) {
        uint8_t *bytes = realloc(next.bytes, length);
        if (bytes == NULL) return 0;
        next.bytes = bytes;
        next.capacity = length;
    }
    next.width = width;
    next.height = height;
    next.due = (int64_t)((uint64_t)word(due) | (uint64_t)word(due + 4) << 32);
    return read_all(next.bytes, length);
}

static void *read_pictures(void *nothing) {
    (void)nothing;
    SDL_Event event;
    while (read_picture()) {
        pthread_mutex_lock(&lock);
        is_full = 1;
        memset(&event, 0, sizeof event);
        event.type = arrival;
        SDL_PushEvent(&event);
        while (is_full) pthread_cond_wait(&taken, &lock);
        pthread_mutex_unlock(&lock);
    }
    memset(&event, 0, sizeof event);
    event.type = SDL_QUIT;
    event.quit.timestamp = UINT32_MAX;  // the reader's own
    SDL_PushEvent(&event);
    // a display that never returns is not waited for
    sleep(1);
    _exit(0);
}

static SDL_Window *window;
// what is shown, to show it again: red, green and blue
static picture shown;

static void say_size(const SDL_Surface *surface) {
    int wide = 0, high = 0;
    SDL_GetWindowSize(window, &wide, &high);
    printf("size %d %d %d\n", surface->w, surface->h, wide > 0 ? surface->w * 100 / wide : 100);
    fflush(stdout);
}

// Puts a row of the picture there; displays have four bytes a pixel, and SDL's own conversion takes thrice as long.
static void put_row(const SDL_Surface *surface, int x, int y, const uint8_t *bytes, int count) {
    const SDL_PixelFormat *format = surface->format;
    const int red = format->Rshift, green = format->Gshift, blue = format->Bshift;
    const uint32_t full = format->Amask;
    uint32_t *place = (uint32_t *)((uint8_t *)surface->pixels + (size_t)y * (size_t)surface->pitch) + x;
    for (int i = 0; i < count; i++, bytes += 3)
        place[i] = full | (uint32_t)bytes[0] << red | (uint32_t)bytes[1] << green | (uint32_t)bytes[2] << blue;
}

static void put(SDL_Surface *surface) {
    const int width = (int)shown.width, height = (int)shown.height;
    // while a window's size changes the picture has another one: its middle is shown
    const int wide = SDL_min(width, surface->w), high = SDL_min(height, surface->h);
    const int from_x = (width - wide) / 2, from_y = (height - high) / 2;
    const int x = (surface->w - wide) / 2, y = (surface->h - high) / 2;
    if (wide < surface->w || high < surface->h) SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, 0, 0, 0));
    if (width == 0) return;
    const uint8_t *bytes = shown.bytes + ((size_t)from_y * (size_t)width + (size_t)from_x) * 3;
    if (surface->format->BytesPerPixel == 4 && SDL_LockSurface(surface) == 0) {
        for (int row = 0; row < high; row++) put_row(surface, x, y + row, bytes + (size_t)row * (size_t)width * 3, wide);
        SDL_UnlockSurface(surface);
        return;
    }
    SDL_Surface *own = SDL_CreateRGBSurfaceWithFormatFrom((void *)bytes, wide, high, 24, width * 3, SDL_PIXELFORMAT_RGB24);
    SDL_Rect place = {x, y, wide, high};
    if (own != NULL) SDL_BlitSurface(own, NULL, surface, &place);
    SDL_FreeSurface(own);
}

// Shows the last picture (again). Returns whether the display took it.
static int present(void) {
    SDL_Surface *surface = SDL_GetWindowSurface(window);
    if (surface == NULL) return 0;
    put(surface);
    return SDL_UpdateWindowSurface(window) == 0;
}

// Returns whether it could be shown.
static int show_next(void) {
    pthread_mutex_lock(&lock);
    if (is_full) {
        const picture last = shown;
        shown = next;
        next = last;
        is_full = 0;
        pthread_cond_signal(&taken);
    }
    pthread_mutex_unlock(&lock);
    return present();
}

// Whether the newest key is being held.
static int is_held;

static void say_key(const char *text) {
    printf("%s ", is_held ? "held" : "key");
    for (const char *byte = text; *byte != 0; byte++) printf("%02x", (unsigned char)*byte);
    printf("\n");
    fflush(stdout);
}

static void say_arrow(const char *name) {
    printf("%s %s\n", is_held ? "held" : "key", name);
    fflush(stdout);
}

static int is_full_screen;

static int is_screen;  // the kernel's own, which is always filled

static void toggle_full_screen(void) {
    if (is_screen) return;
    is_full_screen = !is_full_screen;
    SDL_SetWindowFullscreen(window, is_full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

static void press(const SDL_KeyboardEvent *key) {
    is_held = key->repeat != 0;
    switch (key->keysym.sym) {
    case SDLK_c:
        if (key->keysym.mod & KMOD_CTRL) say_key("\x03");
        break;
    case SDLK_F11:
        if (!is_held) toggle_full_screen();
        break;
    case SDLK_LEFT: say_arrow("left"); break;
    case SDLK_RIGHT: say_arrow("right"); break;
    case SDLK_UP: say_arrow("up"); break;
    case SDLK_DOWN: say_arrow("down"); break;
    case SDLK_ESCAPE: say_key("\x1b"); break;
    case SDLK_RETURN: say_key("\r"); break;
    case SDLK_BACKSPACE: say_key("\b"); break;
    case SDLK_TAB: say_key("\t"); break;
    default: break;
    }
}

// A picture that waits for its time.
static int is_waiting;
// What is due later than that is shown at once (ns).
#define FARTHEST 1000000000

// How long the picture that waits has to wait yet (ns).
static int64_t left(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t rest = next.due - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    return rest > FARTHEST ? 0 : rest;
}

// Returns whether the display took it.
static int show_in_time(void) {
    // the rest of a millisecond
    const int64_t rest = left();
    const struct timespec wait = {0, rest > 0 ? (long)rest : 0};
    if (rest > 0) nanosleep(&wait, NULL);
    is_waiting = 0;
    if (!show_next()) {
        fail("Cannot show a picture");
        return 0;
    }
    printf("shown\n");
    fflush(stdout);
    return 1;
}

// Waits for an event or for the time of the picture that waits. Returns whether the window stays.
static int wait_for(SDL_Event *event, int *is_event) {
    const int64_t rest = is_waiting ? left() / 1000000 : -1;
    if (is_waiting && rest <= 0) {
        *is_event = 0;
        return show_in_time();
    }
    // SDL has been seen to sleep while a key and a picture waited; each turn it looks for them anew
    const int turn = 100;
    *is_event = SDL_WaitEventTimeout(event, is_waiting && rest < turn ? (int)rest : turn);
    return 1;
}

// Returns whether the window stays.
static int handle(const SDL_Event *event) {
    if (event->type == arrival) {
        is_waiting = 1;
        return 1;
    }
    if (event->type == arrival + 1) {
        toggle_full_screen();
        return 1;
    }
    switch (event->type) {
    case SDL_QUIT:
        // Wayland's way to say that the connection is over
        if (event->quit.timestamp != UINT32_MAX) {
            SDL_SetError("its connection has ended");
            fail("The display is gone");
        }
        return 0;
    case SDL_WINDOWEVENT:
        switch (event->window.event) {
        case SDL_WINDOWEVENT_SIZE_CHANGED: {
            const SDL_Surface *surface = SDL_GetWindowSurface(window);
            if (surface != NULL) say_size(surface);
            present();
            break;
        }
        case SDL_WINDOWEVENT_EXPOSED: present(); break;
        case SDL_WINDOWEVENT_CLOSE:
            printf("close\n");
            fflush(stdout);
            break;
        default: break;
        }
        break;
    case SDL_TEXTINPUT:
        // what a desktop does with Alt or its own key is none of ours; AltGr makes letters
        if ((SDL_GetModState() & (KMOD_LALT | KMOD_CTRL | KMOD_GUI)) == 0) say_key(event->text.text);
        break;
    case SDL_KEYDOWN: press(&event->key); break;
    default: break;
    }
    return 1;
}

// Why the kernel's screen cannot be had, where SDL does not say it.
static int fail_without_screen(void) {
    char path[300];
    int found = 0, number = 0;
    DIR *folder = opendir("/dev/dri");
    for (const struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, "card", 4) != 0) continue;
        found = 1;
        snprintf(path, sizeof path, "/dev/dri/%s", entry->d_name);
        const int card = open(path, O_RDWR | O_CLOEXEC);
        if (card < 0) number = errno;
        if (card >= 0) close(card);
    }
    if (folder != NULL) closedir(folder);
    if (!found) {
        SDL_SetError("the kernel drives none (/dev/dri has no card)");
    } else if (number == EACCES) {
        SDL_SetError("the screen may not be opened: add the user to the group video, and log in again");
    } else if (number != 0) {
        SDL_SetError("the screen cannot be opened (%s)", strerror(number));
    } else {
        SDL_SetError("the screen shows nothing that is connected, a desktop has it, or its driver is missing (Debian's "
                     "libgl1-mesa-dri)");
    }
    return fail("There is no screen");
}

int main(int count, char **words) {
    // the end of standard input ends it, and nothing that the terminal sends to all of its processes
    const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    // a display that hangs keeps it from seeing the end of standard input
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int is_kms = count > 1 && strcmp(words[1], "kms") == 0;
    if (is_kms) {
        count--;
        words++;
        setenv("SDL_VIDEODRIVER", "kmsdrm", 1);
    }
    const int is_check = count == 2 && strcmp(words[1], "check") == 0;
    if (count != 4 && !is_check) {
        fputs("Usage: vcap-window [kms] WIDTH HEIGHT TITLE | [kms] check\n", stderr);
        return 64;
    }
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_APP_NAME, "vcap");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return is_kms ? fail_without_screen() : fail("There is no display");
    // where nobody asked for it, a display that nobody sees is none
    const char *driver = SDL_GetCurrentVideoDriver();
    if (getenv("SDL_VIDEODRIVER") == NULL && driver != NULL
        && (strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0)) {
        SDL_SetError("neither X nor Wayland answers, nor is a screen free");
        return fail("There is no display");
    }
    // pictures come ready: to put them there is no work for a graphics driver, where X takes them as they are
    if (driver != NULL && strcmp(driver, "x11") == 0) SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    if (is_check) {
        puts("shown");
        return 0;
    }
    is_screen = is_full_screen = is_kms;
    const uint32_t kind = is_kms ? SDL_WINDOW_FULLSCREEN_DESKTOP : SDL_WINDOW_RESIZABLE;
    window = SDL_CreateWindow(words[3], SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, atoi(words[1]),
                              atoi(words[2]), kind | SDL_WINDOW_ALLOW_HIGHDPI);
    if (window == NULL) return fail(is_kms ? "Cannot take the screen" : "Cannot open a window");
    if (is_kms) SDL_ShowCursor(SDL_DISABLE);
    const SDL_Surface *surface = SDL_GetWindowSurface(window);
    if (surface == NULL) return fail(is_kms ? "Cannot draw on the screen" : "Cannot draw in a window");
    arrival = SDL_RegisterEvents(2);
    SDL_StartTextInput();
    say_size(surface);
    present();
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_pictures, NULL) != 0) return fail("Cannot begin to read");
    SDL_Event event;
    int is_event = 0;
    while (wait_for(&event, &is_event) && (!is_event || handle(&event))) {
    }
    // what the display still does with it is not waited for
    _exit(0);
}
