#!/usr/bin/env python3
"""mpv-seek.py MOVIE FRAMES RATE COUNT: how long mpv takes to show exact frames, one random wish after the other (ms)."""
import json, os, random, socket, subprocess, sys, tempfile, time

movie, frames, rate, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
place = os.path.join(tempfile.mkdtemp(), "mpv")
begin = time.monotonic()
player = subprocess.Popen(
    ["mpv", "--no-config", "--really-quiet", "--vo=null", "--ao=null", "--pause", "--keep-open=yes", "--hr-seek=yes",
     "--hwdec=no", "--input-ipc-server=" + place, movie], stdin=subprocess.DEVNULL)
line = socket.socket(socket.AF_UNIX)
while True:
    try:
        line.connect(place)
        break
    except OSError:
        time.sleep(0.002)
said = line.makefile("r")


def restarted():
    for text in said:
        if json.loads(text).get("event") == "playback-restart":
            return


def ask(*words):
    line.sendall((json.dumps({"command": words}) + "\n").encode())


restarted()
first = (time.monotonic() - begin) * 1000
random.seed(9)
took = []
for _ in range(count):
    start = time.monotonic()
    ask("seek", (random.randrange(frames) + 0.25) / rate, "absolute+exact")
    restarted()
    took.append((time.monotonic() - start) * 1000)
ask("quit")
player.wait()
took.sort()
print("play mpv seek, %s: %d, median %.1f ms, 95 %% %.1f ms, most %.1f ms; started and at its first frame after %.0f ms" % (
    os.path.basename(movie), count, took[count // 2], took[int(count * 0.95)], took[-1], first))
