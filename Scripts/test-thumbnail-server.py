#!/usr/bin/env python3
"""Drives Examples/ThumbnailServer over loopback, as its clients would, well-meaning ones and others.

    test-thumbnail-server.py PROGRAM

Nothing here depends on how fast anything is: what the server did tells /statistics.
"""

import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor

PICTURES = pathlib.Path(__file__).resolve().parent.parent / "TestImages"
PROGRAM = None
PATIENCE = 120
LIMIT = 20 << 20


class Server:
    """The program, on a port that the system chooses."""

    def __init__(self, folder, cache):
        self.process = subprocess.Popen([PROGRAM, folder, cache, "0"], stderr=subprocess.PIPE, text=True)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"listening on 127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise RuntimeError("the server did not begin: " + "".join(self.log))

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        _, rest = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, method, path, body=None, headers={}, chunked=False):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers, encode_chunked=chunked)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def memory(self):
        """Resident bytes that are not of a file."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s*(\d+) kB", status)[1]) << 10

    def statistics(self):
        lines = self.ask("GET", "/statistics").body.decode().splitlines()
        return {name: int(count) for name, count in (line.split(": ") for line in lines)}


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def message(self):
        return json.loads(self.body)["error"]["message"]

    @property
    def picture(self):
        """Media type, width and height, as the bytes themselves tell."""
        if self.body.startswith(b"\x89PNG"):
            return ("image/png", *struct.unpack(">II", self.body[16:24]))
        at = 2
        while self.body[at + 1] not in (0xC0, 0xC2):
            at += 2 + struct.unpack(">H", self.body[at + 2 : at + 4])[0]
        height, width = struct.unpack(">HH", self.body[at + 5 : at + 9])
        return ("image/jpeg", width, height)


def read(name):
    return (PICTURES / name).read_bytes()


def png(width, height, rows=b""):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def damaged(count):
    """Files that declare another size than they hold: decoders allocate for it, and then find that bytes are missing."""
    numbers = random.Random(25)
    jpeg, interlaced = read("progressive.jpg"), read("interlaced-rgba.png")
    frame = jpeg.index(b"\xff\xc2")
    for _ in range(count):
        width, height = numbers.randrange(200, 3000), numbers.randrange(200, 3000)
        if numbers.random() < 0.7:
            yield jpeg[: frame + 5] + struct.pack(">HH", height, width) + jpeg[frame + 9 :]
        else:
            header = b"IHDR" + struct.pack(">II", width, height) + interlaced[24:29]
            yield interlaced[:12] + header + struct.pack(">I", zlib.crc32(header)) + interlaced[33:]


class ServerTests(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.folder, self.cache = self.scratch / "pictures", self.scratch / "cache"
        self.folder.mkdir()
        for name in ("photograph.jpg", "photograph.png"):
            shutil.copy(PICTURES / name, self.folder)
        self.server = Server(self.folder, self.cache)
        self.addCleanup(self.stop)

    def stop(self):
        if self.server.process.poll() is None:
            self.server.process.kill()
        self.server.process.communicate()

    def assert_well(self):
        """The server does what it should do."""
        answer = self.server.ask("POST", "/resize?width=10", read("rgb.jpg"))
        self.assertEqual((answer.status, answer.picture[1]), (200, 10), answer.body[:200])

    def assert_refused(self, status, *request, **options):
        answer = self.server.ask(*request, **options)
        self.assertEqual(answer.status, status, (request[1], answer.body[:200]))
        return answer

    # Uploads

    def test_uploads_are_resized(self):
        answer = self.server.ask("POST", "/resize?width=40&height=40&format=png", read("photograph.jpg"))
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Content-Type"], "image/png")
        kind, width, height = answer.picture
        self.assertEqual((kind, max(width, height)), ("image/png", 40))

        answer = self.server.ask("POST", "/resize?width=30&format=jpg&quality=50", read("photograph.png"))
        self.assertEqual(answer.headers["Content-Type"], "image/jpeg")
        self.assertEqual(answer.picture[:2], ("image/jpeg", 30))
        better = self.server.ask("POST", "/resize?width=30&format=jpg&quality=95", read("photograph.png"))
        self.assertGreater(len(better.body), len(answer.body))

        # Without a format the upload's own.
        self.assertEqual(self.server.ask("POST", "/resize?width=5", read("rgb.jpg")).picture[0], "image/jpeg")

    def test_uploads_may_come_in_pieces_of_any_size(self):
        photograph = read("photograph.jpg")
        whole = self.server.ask("POST", "/resize?width=20&quality=80", photograph)
        pieces = (photograph[at : at + 1000] for at in range(0, len(photograph), 1000))
        headers = {"Transfer-Encoding": "chunked"}
        chunked = self.server.ask("POST", "/resize?width=20&quality=80", pieces, headers, chunked=True)
        self.assertEqual((chunked.status, chunked.body), (200, whole.body))

    def test_what_is_no_picture_is_told_apart(self):
        photograph = read("photograph.jpg")
        self.assertIn("not a PNG", self.assert_refused(415, "POST", "/resize?width=9", b"Dear Sir or Madam,").message)
        self.assertIn("empty", self.assert_refused(422, "POST", "/resize?width=9", b"").message)
        self.assertIn("truncated", self.assert_refused(422, "POST", "/resize?width=9", photograph[:20000]).message)
        self.assert_refused(422, "POST", "/resize?width=9", read("photograph.png")[:-30000] + bytes(30000))
        self.assert_refused(422, "POST", "/resize?width=9", png(3, 0))
        # A few bytes that would become gigabytes.
        self.assertIn("pixels", self.assert_refused(413, "POST", "/resize?width=9", png(60000, 60000)).message)
        # Limits.untrusted.
        self.assertIn("65535", self.assert_refused(413, "POST", "/resize?width=9", png(70000, 1)).message)
        self.assert_well()

    def test_parameters_are_checked(self):
        for query in ("width=0", "width=-1", "width=wide", "width=", "width=99999999999999999999", "height=10001",
                      "format=tga", "quality=0", "quality=101", "quality=x"):
            self.assert_refused(400, "POST", "/resize?" + query, read("rgb.jpg"))
            self.assert_refused(400, "GET", "/thumbnails/photograph.jpg?" + query)

    def test_huge_uploads_are_refused(self):
        # Announced: before a byte of it was sent.
        with self.server.connect() as connection:
            connection.sendall(f"POST /resize HTTP/1.1\r\nHost: x\r\nContent-Length: {LIMIT + 1}\r\n\r\n".encode())
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 413 "))
        # Not announced: once there is too much of it.
        with self.server.connect() as connection:
            connection.sendall(b"POST /resize HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            beginning = read("photograph.jpg")[:2]
            # A JPEG's application data may go on for ever.
            piece = b"\xff\xed\xff\xff" + bytes(65533)
            sent = 0
            while sent <= LIMIT:
                content = (beginning if sent == 0 else b"") + piece
                connection.sendall(b"%x\r\n%s\r\n" % (len(content), content))
                sent += len(content)
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 413 "))
        self.assert_well()

    def test_who_leaves_in_the_middle_leaves_nothing_behind(self):
        photograph = read("photograph.jpg")
        head = f"POST /resize?width=20 HTTP/1.1\r\nHost: x\r\nContent-Length: {len(photograph)}\r\n\r\n".encode()
        # Some who stall hold up nobody.
        stalled = [self.server.connect() for _ in range(20)]
        for connection in stalled:
            connection.sendall(head + photograph[: len(photograph) // 2])
        self.assert_well()
        self.assertEqual(self.server.ask("GET", "/thumbnails/photograph.jpg?width=10").status, 200)
        # More than may be on their way at a time: others wait until they leave.
        stalled += [self.server.connect() for _ in range(30)]
        for connection in stalled[20:]:
            connection.sendall(head + photograph[: len(photograph) // 2])
        self.assertEqual(self.server.ask("GET", "/thumbnails/photograph.jpg?width=11").status, 200)
        for connection in stalled:
            connection.close()
        self.assert_well()

    @unittest.skipUnless(sys.platform == "linux", "reads /proc")
    def test_damaged_uploads_do_not_grow_its_memory(self):
        self.assert_well()
        with ThreadPoolExecutor(8) as clients:
            statuses = clients.map(lambda body: self.server.ask("POST", "/resize?width=90", body).status, damaged(600))
            # Some hold enough bytes for the smaller size that they declare.
            self.assertEqual(set(statuses), {200, 422})
        # Without a fixed threshold of malloc it is above 100 MB.
        self.assertLess(self.server.memory() >> 20, 64)

    # Thumbnails

    def test_thumbnails_are_kept(self):
        first = self.server.ask("GET", "/thumbnails/photograph.jpg?width=24")
        self.assertEqual((first.status, first.picture[:2]), (200, ("image/jpeg", 24)))
        self.assertEqual(first.headers["Content-Type"], "image/jpeg")
        self.assertEqual(self.server.statistics(), {"thumbnails made": 1, "found in memory": 0, "found on the disk": 0})
        second = self.server.ask("GET", "/thumbnails/photograph.jpg?width=24")
        self.assertEqual(second.body, first.body)
        self.assertEqual(self.server.statistics(), {"thumbnails made": 1, "found in memory": 1, "found on the disk": 0})

        # On the disk as well: the next server finds them.
        self.assertEqual(self.server.end(), 0)
        self.server = Server(self.folder, self.cache)
        third = self.server.ask("GET", "/thumbnails/photograph.jpg?width=24")
        self.assertEqual(third.body, first.body)
        self.assertEqual(self.server.statistics(), {"thumbnails made": 0, "found in memory": 0, "found on the disk": 1})

    def test_who_has_a_thumbnail_is_not_sent_it_again(self):
        path = "/thumbnails/photograph.png?width=24"
        first = self.server.ask("GET", path)
        self.assertIn("max-age", first.headers["Cache-Control"])
        same = self.server.ask("GET", path, headers={"If-None-Match": first.headers["ETag"]})
        self.assertEqual((same.status, same.body, same.headers["ETag"]), (304, b"", first.headers["ETag"]))
        several = f'W/"another", {first.headers["ETag"]}'
        self.assertEqual(self.server.ask("GET", path, headers={"If-None-Match": several}).status, 304)
        other = self.server.ask("GET", path, headers={"If-None-Match": '"another"'})
        self.assertEqual((other.status, other.body), (200, first.body))
        # Another picture by the same name is another thumbnail.
        shutil.copy(PICTURES / "shapes-alpha.png", self.folder / "photograph.png")
        changed = self.server.ask("GET", path, headers={"If-None-Match": first.headers["ETag"]})
        self.assertEqual(changed.status, 200)
        self.assertNotEqual(changed.headers["ETag"], first.headers["ETag"])

    def test_many_who_ask_at_once_cost_one_thumbnail(self):
        for made, name in enumerate(("photograph.png", "photograph.jpg"), 1):
            path = f"/thumbnails/{name}?width=64"
            with ThreadPoolExecutor(50) as clients:
                answers = list(clients.map(lambda _: self.server.ask("GET", path), range(50)))
            self.assertEqual({(answer.status, answer.body) for answer in answers}, {(200, answers[0].body)})
            self.assertEqual(self.server.statistics()["thumbnails made"], made)

    def test_connections_are_kept(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.connect()
        ours = connection.sock.getsockname()
        for _ in range(3):
            connection.request("GET", "/thumbnails/photograph.jpg?width=12")
            self.assertGreater(len(connection.getresponse().read()), 0)
            self.assertEqual(connection.sock.getsockname(), ours)
        connection.close()

    def test_nothing_but_the_folder_is_served(self):
        secret = self.scratch / "secret.jpg"
        shutil.copy(PICTURES / "rgb.jpg", secret)
        (self.folder / "link.jpg").symlink_to(secret)
        (self.folder / "inner").mkdir()
        names = ["missing.jpg", "link.jpg", "inner", "../secret.jpg", "..%2fsecret.jpg", "..%2Fsecret.jpg",
                 "%2e%2e%2fsecret.jpg", "inner%2f..%2f..%2fsecret.jpg", "..", "%2e%2e", ".", "%00", "secret.jpg%00",
                 "photograph.jpg%00.png", "%2f" + str(secret)[1:].replace("/", "%2f"), str(secret), "%ff", "a" * 300]
        for name in names:
            self.assert_refused(404, "GET", f"/thumbnails/{name}?width=9")
        # A name is a name, whatever is in it.
        shutil.copy(PICTURES / "rgb.jpg", self.folder / "grün & 100%.jpg")
        self.assertEqual(self.server.ask("GET", "/thumbnails/gr%C3%BCn%20%26%20100%25.jpg?width=9").status, 200)

    def test_it_ends_when_asked_to(self):
        with self.server.connect():
            self.assert_well()
            self.assertEqual(self.server.end(), 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
