#!/usr/bin/env python3
"""Compresses a folder on a Spark cluster, and writes what became of each picture as a table.

    spark-submit compress_folder.py PHOTOS SMALLER results.parquet --quality 75 --width 1280

Each task runs one `texel worker`. All machines must see both folders under the same names, and have `texel`.
"""

import argparse
import json
import pathlib
import subprocess
import threading

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

COLUMNS = """picture string, output string, status string, inputBytes long, outputBytes long, width long, height long,
    milliseconds double, code long, error string, losses long"""
SUFFIXES = {".jpg", ".jpeg", ".png"}
# Workers that may end in a row without a single answer, before the task gives up and Spark tries elsewhere.
FRUITLESS_WORKERS = 3


def jobs_of(folder, target, options):
    """A job for each picture. What is done again, because its answer was lost, has the same bytes: so it overwrites."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix.lower() in SUFFIXES:
            name = path.relative_to(folder)
            output = pathlib.Path(target, name)
            output.parent.mkdir(parents=True, exist_ok=True)
            yield {"id": str(name), "input": str(path), "output": str(output), "overwrite": True, **options}


def answers(jobs, program):
    """The result of each job, in any order. What a worker that ended had not answered is given to the next."""
    waiting = {job["id"]: job for job in jobs}
    losses, fruitless = 0, 0
    while waiting:
        before = len(waiting)
        for result in results_of_one_worker(list(waiting.values()), program):
            # A line that no job is answered with would be a fault of ours.
            del waiting[result["id"]]
            yield {**result, "picture": result["id"], "losses": losses}
        if waiting:
            losses += 1
            fruitless = fruitless + 1 if len(waiting) == before else 0
            if fruitless == FRUITLESS_WORKERS:
                raise RuntimeError(f"{fruitless} workers in a row ended without an answer; {before} jobs wait")


def results_of_one_worker(jobs, program):
    """What one worker answers before it ends, however it ends."""
    # The task is one of Spark's cores, and so should the worker be.
    worker = subprocess.Popen(
        [program, "worker", "--unordered", "--exit-zero", "--jobs", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )

    def feed():
        try:
            with worker.stdin:
                for job in jobs:
                    worker.stdin.write(json.dumps(job).encode() + b"\n")
        except OSError:
            pass  # It has ended: the answers that are missing say so.

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        for line in worker.stdout:
            # A killed worker may leave half a line.
            if line.endswith(b"\n"):
                yield json.loads(line)
    finally:
        # Also where Spark cancels the task.
        worker.kill()
        worker.wait()
        worker.stdout.close()
        feeder.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("table", help="where the table goes, as Parquet")
    parser.add_argument("--quality", type=int)
    parser.add_argument("--width", type=int)
    parser.add_argument("--tasks", type=int, default=0, help="parts of the work (default: 4 for each core)")
    parser.add_argument("--timeout", help="the time limit for each file, such as 60s")
    parser.add_argument("--program", default="texel")
    arguments = parser.parse_args()

    keys = ("quality", "width", "timeout")
    options = {key: getattr(arguments, key) for key in keys if getattr(arguments, key) is not None}
    jobs = list(jobs_of(arguments.folder.absolute(), arguments.target.absolute(), options))
    spark = SparkSession.builder.appName("texel").getOrCreate()
    context, program = spark.sparkContext, arguments.program
    tasks = arguments.tasks or 4 * context.defaultParallelism
    columns = [column.split()[0] for column in COLUMNS.split(",")]
    rows = (
        context.parallelize(jobs, max(1, min(tasks, len(jobs))))
        .mapPartitions(lambda part: answers(part, program))
        .map(lambda result: tuple(result.get(column) for column in columns))
    )
    # Once: whatever asks the rows anew compresses anew.
    spark.createDataFrame(rows, COLUMNS).write.mode("overwrite").parquet(arguments.table)

    table = spark.read.parquet(arguments.table)
    table.groupBy("status").agg(
        F.count("*").alias("pictures"),
        F.sum("inputBytes").alias("before"),
        F.sum("outputBytes").alias("after"),
        F.round(F.sum("milliseconds") / 1000, 1).alias("seconds"),
        F.sum((F.col("losses") > 0).cast("int")).alias("retried"),
    ).orderBy("status").show(truncate=False)
    table.filter("status = 'failed'").select("picture", "error").orderBy("picture").show(20, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
