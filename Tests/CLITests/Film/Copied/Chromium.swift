import Foundation
import TestSupport

/// Chromium without a window: it seeks to places of a film, and plays it to its end.
enum Chromium {
    static let browser: Program? = ["chromium-headless-shell", "chromium"].lazy
        .compactMap { Program.tool($0) }.first
    private static let python = Program.tool("python3")

    struct Answer: Decodable {
        /// What went wrong; nil: nothing.
        var error: String?
        /// Of the film (seconds).
        var duration: Double?
        /// How like the reference it is where it was sought (dB; equal frames have 99).
        var likeness: [Double]?
        /// Whether it came to its end, and where it was then (seconds).
        var ended: Bool?
        var at: Double?
        /// Frames while it played (counts).
        var frames: Int?
        var corrupted: Int?
    }

    /// Serves a page with both films on this machine alone, and prints what the page answers. The film is sought over and
    /// over, each time as the reference is, and both are drawn; then it plays, four times as fast.
    private static let script = """
        import http.server, json, os, shutil, subprocess, sys, tempfile, threading

        browser, files, times = sys.argv[1], sys.argv[2:4], [float(text) for text in sys.argv[4:]]
        page = '''<!doctype html><video id=one muted src=/0></video><video id=two muted src=/1></video>
        <script>
        const times = TIMES, one = document.getElementById('one'), two = document.getElementById('two');
        const send = (answer) => fetch('/answer', {method: 'POST', body: JSON.stringify(answer)});
        const wait = (video, name) => new Promise((done, fail) => {
            video.addEventListener(name, done, {once: true});
            video.addEventListener('error', () => fail(video.error.message), {once: true});
        });
        const ready = (video) => video.readyState < 2 ? wait(video, 'loadeddata') : null;
        const seek = async (video, time) => {
            const sought = wait(video, 'seeked');
            video.currentTime = time;
            await sought;
        };
        const pixels = (video) => {
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
            const context = canvas.getContext('2d');
            context.drawImage(video, 0, 0);
            return context.getImageData(0, 0, canvas.width, canvas.height).data;
        };
        (async () => {
            try {
                await ready(one);
                await ready(two);
                const likeness = [];
                for (const time of times) {
                    await seek(one, time);
                    await seek(two, time);
                    const [first, second] = [pixels(one), pixels(two)];
                    let sum = 0;
                    for (let i = 0; i < first.length; i++) sum += (first[i] - second[i]) ** 2;
                    const mean = sum / (first.length * 3 / 4);
                    likeness.push(first.length != second.length ? 0
                        : mean == 0 ? 99 : 10 * Math.log10(255 * 255 / mean));
                }
                await seek(one, 0);
                one.playbackRate = 4;
                const end = wait(one, 'ended');
                await one.play();
                await end;
                const quality = one.getVideoPlaybackQuality();
                await send({duration: one.duration, likeness, ended: one.ended, at: one.currentTime,
                    frames: quality.totalVideoFrames, corrupted: quality.corruptedVideoFrames});
            } catch (error) { await send({error: String(error)}); }
        })();
        </script>'''.replace('TIMES', json.dumps(times))
        answers, done = [], threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def log_message(self, *words):
                pass

            def reply(self, status, body=b'', **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace('_', '-'), value)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if self.path == '/':
                    return self.reply(200, page.encode(), Content_Type='text/html')
                if self.path not in ('/0', '/1'):
                    return self.reply(404)
                with open(files[int(self.path[1])], 'rb') as file:
                    size = os.fstat(file.fileno()).st_size
                    span = self.headers.get('Range', 'bytes=0-').split('=')[1].split('-')
                    first = int(span[0])
                    last = min(size - 1, int(span[1]) if span[1] else size - 1)
                    file.seek(first)
                    body = file.read(last + 1 - first)
                try:
                    self.reply(206, body, Content_Type='video/mp4', Accept_Ranges='bytes',
                               Content_Range='bytes %d-%d/%d' % (first, last, size))
                except OSError:
                    pass

            def do_POST(self):
                answers.append(self.rfile.read(int(self.headers['Content-Length'])).decode())
                self.reply(204)
                done.set()

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        profile = tempfile.mkdtemp()
        process = subprocess.Popen(
            [browser, '--no-sandbox', '--headless', '--disable-gpu', '--user-data-dir=' + profile,
             '--autoplay-policy=no-user-gesture-required', '--remote-debugging-port=0',
             'http://127.0.0.1:%d/' % server.server_port],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done.wait(120)
        process.kill()
        process.wait()
        shutil.rmtree(profile, ignore_errors=True)
        print(answers[0] if answers else '{"error": "it did not answer for two minutes"}')
        """

    /// - Parameters:
    ///   - film: that is looked at.
    ///   - reference: of the same frames.
    ///   - times: that are sought in both (seconds).
    /// - Returns: nil where there is no Chromium.
    static func play(
        _ film: String, beside reference: String, seeking times: [Double]
    ) throws -> Answer? {
        guard let browser, let python else { return nil }
        let result = try python.run(
            ["-c", script, browser.path, film, reference] + times.map { String($0) })
        guard result.status == 0 else {
            return Answer(error: "its page could not be served: \(result.errorText.suffix(200))")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(result.output))
    }
}
