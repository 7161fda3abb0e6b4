#!/usr/bin/env python3
"""Runs compress_folder.py on a cluster of two workers on this machine, and kills what does the work.

    test_compress_folder.py TEXEL

A picture that is a named pipe keeps the worker that got it waiting: so whatever is killed is killed in the middle,
however fast the machine is.
"""

import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from pyspark.sql import SparkSession

HERE = pathlib.Path(__file__).resolve().parent
PICTURE = HERE.parent.parent / "TestImages" / "photograph.jpg"
PROGRAM = None
COUNT = 40
PATIENCE = 900


def processes():
    """Parent and command line of every process."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found[int(entry.name)] = (parent, (entry / "cmdline").read_bytes().decode(errors="replace"))
            except OSError:
                pass  # It has ended.
    return found


def family(ancestor):
    """The process and all below it, as they are now."""
    all_of_them = processes()
    children = collections.defaultdict(list)
    for process, (parent, _) in all_of_them.items():
        children[parent].append(process)
    found = [ancestor]
    for process in found:
        found += children[process]
    return {process: all_of_them[process][1] for process in found if process in all_of_them}


class CompressFolder(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="texel-spark-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.photos = self.directory / "photos"
        (self.photos / "album").mkdir(parents=True)
        for number in range(COUNT):
            shutil.copy(PICTURE, self.photos / "album" / f"{number:02}.jpg")
        (self.photos / "broken.png").write_bytes(b"no picture")

    def start(self):
        submit = pathlib.Path(os.environ["SPARK_HOME"]) / "bin" / "spark-submit"
        command = [
            submit, "--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false",
            "--conf", "spark.log.level=ERROR", HERE / "compress_folder.py", self.photos, self.directory / "small",
            self.directory / "table", "--quality", "60", "--tasks", "4", "--program", PROGRAM,
            "--timeout", f"{PATIENCE}s",
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=self.directory)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, condition, process):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertIsNone(process.poll(), "the job has ended")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def stall(self):
        """Begins the job, and waits until only one picture is missing; gives who works on it."""
        os.mkfifo(self.photos / "album" / "10-slow.jpg")
        process = self.start()
        made = lambda: len(list((self.directory / "small").rglob("[0-9]*.jpg")))
        workers = lambda: [key for key, line in family(process.pid).items() if line.startswith(f"{PROGRAM}\0worker")]
        self.wait_for(lambda: made() == COUNT and len(workers()) == 1, process)
        return process, workers()[0]

    def kill(self, victims, process):
        """Kills, and waits for the end: who is still dying would take the picture that is meant for the next."""
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        # What has ended has no command line any more, even where nobody has asked for its exit code.
        self.wait_for(lambda: not any(line for key, (_, line) in processes().items() if key in victims), process)

    def feed(self, process):
        """Gives the picture to whoever opens the pipe next."""
        def is_open():
            try:
                pipe = os.open(self.photos / "album" / "10-slow.jpg", os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                return False
            os.set_blocking(pipe, True)
            with open(pipe, "wb") as stream:
                stream.write(PICTURE.read_bytes())
            return True
        self.wait_for(is_open, process)

    def check(self, process, names):
        shown, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        print(shown)
        spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
        rows = {row.picture: row for row in spark.read.parquet(str(self.directory / "table")).collect()}
        count = spark.read.parquet(str(self.directory / "table")).count()
        spark.stop()
        self.assertEqual(count, len(rows), "a picture is there twice")
        self.assertEqual(set(rows), names | {"broken.png"})
        self.assertEqual((rows["broken.png"].status, rows["broken.png"].code), ("failed", 65))
        for name in names:
            self.assertEqual((rows[name].status, rows[name].error), ("written", None))
            self.assertEqual((self.directory / "small" / name).stat().st_size, rows[name].outputBytes)
        # Whoever did it, and however often, it is the same picture.
        self.assertEqual(len({(self.directory / "small" / name).read_bytes() for name in names}), 1)
        left = [path for path in (self.directory / "small").rglob(".*")]
        self.assertLessEqual(len(left), 1, "only what was killed may leave a hidden file")
        return rows

    def names(self, *more):
        return {f"album/{number:02}.jpg" for number in range(COUNT)} | set(more)

    def test_nothing_is_lost(self):
        rows = self.check(self.start(), self.names())
        self.assertEqual({row.losses for row in rows.values()}, {0})

    def test_killed_texel(self):
        process, worker = self.stall()
        self.kill({worker}, process)
        self.feed(process)
        rows = self.check(process, self.names("album/10-slow.jpg"))
        self.assertEqual(rows["album/10-slow.jpg"].losses, 1)

    def test_killed_executor(self):
        process, worker = self.stall()
        parents = {key: parent for key, (parent, _) in processes().items()}
        executor = worker
        while "CoarseGrainedExecutorBackend" not in processes()[executor][1]:
            executor = parents[executor]
        # As where its machine loses power: nothing below it remains.
        self.kill(set(family(executor)), process)
        self.feed(process)
        self.check(process, self.names("album/10-slow.jpg"))


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    import pyspark

    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    unittest.main(verbosity=2)
