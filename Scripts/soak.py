#!/usr/bin/env python3
"""Lets one `texel worker` do many pictures, and looks whether it grows: `make soak`.

Small pictures and large ones come from TestImages, in a folder that is removed afterwards. Every so often the worker's
resident memory, descriptors and threads are noted, and those of its children; at the end stands the slope of a line
through the memory of the second half, in bytes a picture. It fails where descriptors or threads grew, or where the
memory at the end is more than a tenth above that of the first quarter.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading

LARGE_EVERY = 100
"""A large picture comes after so many small ones."""


def prepare(texel, folder):
    """Pictures to work on: paths of small ones and of large ones."""
    sources = pathlib.Path(__file__).resolve().parent.parent / "TestImages"
    for width, name in ((64, "small"), (3600, "large")):
        only = [] if name == "small" else ["--fit", "fill", "--height", "2400"]
        subprocess.run(
            [texel, "resize", sources, "-r", "--width", str(width), "--enlarge", *only, "-o", folder / name, "-q", "85",
             "--effort", "fast", "--overwrite", "--json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    found = [sorted(p for p in (folder / n).iterdir() if p.suffix in (".png", ".jpg")) for n in ("small", "large")]
    return found[0], found[1][:20]


def jobs(small, large, count, folder):
    """`count` small jobs and a large one now and then."""
    for index in range(count):
        picture = small[index % len(small)]
        yield picture, folder / f"out/{index % 64}{picture.suffix}", 40
        if index % LARGE_EVERY == LARGE_EVERY - 1:
            picture = large[index // LARGE_EVERY % len(large)]
            yield picture, folder / f"out/large-{index // LARGE_EVERY % 8}{picture.suffix}", 800


def state(process):
    """Resident bytes, descriptors and threads of a process; None where it has gone."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        descriptors = len(os.listdir(f"/proc/{process}/fd"))
        return int(fields["VmRSS"].split()[0]) * 1024, descriptors, int(fields["Threads"])
    except (OSError, KeyError):
        return None


def children(process):
    """Those of all threads: each has its own."""
    found = []
    for tasks in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += tasks.read_text().split()
        except OSError:
            pass
    return found


def slope(samples):
    """The least squares' line through (pictures, bytes)."""
    xs, ys = zip(*samples)
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread if spread else 0.0


def chart(samples, path, of):
    """Memory over pictures, as an SVG."""
    width, height, left, bottom = 720, 260, 60, 34
    last = samples[-1][0]
    top = max(s[1] for s in samples) * 1.15 / 2**20

    def place(pictures, megabytes):
        return (left + (width - left - 12) * pictures / last, (height - bottom) * (1 - megabytes / top) + 6)

    lines = []
    for index in range(5):
        x0, y = place(0, top * index / 5)
        lines.append(f'<path d="M{x0:.1f} {y:.1f}H{width - 12}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{top * index / 5:.0f}</text>')
        x, _ = place(last * index / 4, 0)
        lines.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{last * index // 4:,}</text>')
    points = " ".join("{:.1f},{:.1f}".format(*place(s[0], s[1] / 2**20)) for s in samples)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11"'
        f' fill="#444"><rect width="{width}" height="{height}" fill="#fff"/>{"".join(lines)}'
        f'<polyline points="{points}" fill="none" stroke="#2868c8" stroke-width="1.5"/>'
        f'<text x="{left}" y="12">MB resident, {of}, by pictures done</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texel")
    parser.add_argument("--count", type=int, default=200_000, help="small pictures; a hundredth as many large ones")
    parser.add_argument("--isolate", action="store_true", help="decode in children")
    parser.add_argument("--chart", type=pathlib.Path, help="where to draw the memory")
    options = parser.parse_args()
    texel = os.path.abspath(options.texel)

    with tempfile.TemporaryDirectory(prefix="texel-soak-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        folder = pathlib.Path(name)
        (folder / "out").mkdir()
        small, large = prepare(texel, folder)
        worker = subprocess.Popen(
            [texel, "worker", "--exit-zero"] + (["--isolate"] if options.isolate else []), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

        def send():
            for picture, output, width in jobs(small, large, options.count, folder):
                job = {"command": "resize", "input": str(picture), "output": str(output), "width": width,
                       "overwrite": True, "effort": "fast"}
                worker.stdin.write(json.dumps(job) + "\n")
            worker.stdin.close()

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        total = options.count + options.count // LARGE_EVERY
        every = max(1, total // 400)
        samples, failed, done = [], 0, 0
        for line in worker.stdout:
            done += 1
            failed += json.loads(line)["code"] != 0
            if done % every == 0 and done < total - 2 and (own := state(worker.pid)):
                others = [found for child in children(worker.pid) if (found := state(child))]
                samples.append((done, own[0] + sum(o[0] for o in others), own[1], own[2] + len(others)))
        worker.wait()

    if options.chart:
        chart(samples, options.chart, "worker and its children" if options.isolate else "worker")
    half, quarter = samples[len(samples) // 2:], samples[len(samples) // 8:len(samples) // 4]
    early, late = (statistics.median(s[1] for s in part) for part in (quarter, samples[-len(quarter):]))
    grown = slope([(s[0], s[1]) for s in half])
    widest = [(max(s[i] for s in quarter), max(s[i] for s in half)) for i in (2, 3)]
    print(f"{done} of {total} pictures, {failed} failed, ended with {worker.returncode}")
    print(f"memory: {early / 2**20:.1f} MB early, {late / 2**20:.1f} MB late, {max(s[1] for s in samples) / 2**20:.1f} MB "
          f"at most; slope of the second half {grown:+.1f} bytes a picture")
    print(f"descriptors: {widest[0][0]} early, {widest[0][1]} later; threads and children: {widest[1][0]}, {widest[1][1]}")
    # Reading happens while files are open: a few more or fewer are chance, a leak is thousands.
    sound = done == total and failed == 0 and worker.returncode == 0 and late <= early * 1.1 + 4 * 2**20
    sys.exit(0 if sound and all(later <= first + 8 for first, later in widest) else 1)


if __name__ == "__main__":
    main()
