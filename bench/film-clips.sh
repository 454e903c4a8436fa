# The clips that films are made of, in $film: five of 10 s of 1080p30 with a tone each, and music. And how films are coded, by
# vcap (coding) and its peers (x264): at the same rate factor, key-frame distance and threads.
film=$work/film
mkdir -p "$film"
if [ ! -f "$film/music.m4a" ]; then
    number=0
    for picture in testsrc2=s=1920x1080:r=30 mandelbrot=s=1920x1080:r=30 \
        "gradients=s=1920x1080:r=30:speed=0.02:n=6,noise=alls=8:allf=t" cellauto=s=1920x1080:r=30:rule=110 \
        "smptehdbars=s=1920x1080:r=30,noise=alls=12:allf=t"; do
        number=$((number + 1))
        ffmpeg -v error -y -f lavfi -i "$picture" -f lavfi -i "sine=f=$((220 * number)):r=48000" -t 10 \
            -c:v libx264 -preset veryfast -b:v 8M -maxrate 10M -bufsize 16M -g 30 -bf 0 -pix_fmt yuv420p \
            -c:a aac -ac 2 "$film/clip$number.mp4"
    done
    ffmpeg -v error -y -f lavfi -i "aevalsrc=0.3*sin(2*PI*110*t)|0.3*sin(2*PI*165*t):s=48000" -t 60 -c:a aac "$film/music.m4a"
fi
coding="--preset 1080p --codec h264 --crf 20 --encoder-preset veryfast -g 60"
# the coder's threads, as it states them itself in what it codes
"$vcap" compose --copy never -q -y "$film/clip1.mp4" $coding --range 0s..1s -o "$film/threads.mp4"
threads=$(grep -aom1 ' threads=[0-9]*' "$film/threads.mp4" | tr -dc 0-9 || true)
threads=${threads:-2}
x264="-c:v libx264 -preset veryfast -crf 20 -g 60 -threads $threads -c:a aac"
