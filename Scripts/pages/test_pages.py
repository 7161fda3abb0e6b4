#!/usr/bin/env python3
"""Drives the gallery and the report that `texel` writes, in a real browser: keys, filter, slider, sorting, names that
want to be code, and how long a report of many pictures takes to open.

    test_pages.py TEXEL PICTURES [--pictures 500] [--keep FOLDER]
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from browser import Browser, PageError

# What file systems allow and pages must survive.
HOSTILE_NAMES = [
    '"><script>alert(1)<.png', '"><img src=x onerror=alert(2)>.jpg', "' onmouseover='alert(3).png", "new\nline.jpg",
    "100% #1?x=y&z=ü.jpg", "&lt;b&gt;.png", "javascript:alert(4).jpg", "日本語 🎉.png", "back\\slash.jpg",
    "\u202egnp.exe", " leading and trailing ",
]


class Checks:
    def __init__(self):
        self.failures = 0

    def equal(self, what, found, wanted):
        self.true(f"{what}: {found!r}, not {wanted!r}" if found != wanted else what, found == wanted)

    def true(self, what, holds):
        print(("ok      " if holds else "FAILED  ") + what.replace("\n", "␊"), flush=True)
        self.failures += not holds


def texel(program, *arguments, codes=(0,)):
    outcome = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if outcome.returncode not in codes:
        sys.exit(f"texel {arguments[0]} ended with {outcome.returncode}: {outcome.stderr}")


def gallery(checks, program, browser_program, folder, keep):
    inputs = folder / "in"
    for place in ["embedded", "beside"]:
        page = folder / f"gallery-{place}.html"
        texel(program, "sheet", inputs, "-r", "-o", page, "--thumbnails", place, codes=(1,))
    page = (folder / "gallery-embedded.html").as_uri()
    with Browser(browser_program) as browser:
        browser.open(page)
        count = browser.value("document.querySelectorAll('#grid li').length")
        checks.equal("every picture has a place", count, len(list(inputs.iterdir())))
        names = browser.value("[...document.querySelectorAll('#grid li')].map(item => item.dataset.name)")
        for name in ['"><script>alert(1)<.png', "&lt;b&gt;.png", "日本語 🎉.png"]:
            checks.true(f"the name {name} is text", name in names)
        checks.equal("a newline in a name is seen", sum("new\ufffdline" in name for name in names), 1)
        checks.equal("a turn of direction is seen", sum(name == "\ufffdgnp.exe" for name in names), 1)
        checks.equal("there is one script, ours", browser.value("document.scripts.length"), 1)
        checks.equal("pictures with a thumbnail", browser.value(
            "Promise.all([...document.querySelectorAll('#grid img')].map(image => image.decode()))"
            ".then(all => all.length)"), count - 1)
        if keep:
            browser.screenshot(keep / "gallery.png")

        # Every name leads to its file.
        browser.value("document.querySelector('#grid li:not([hidden]) a').focus()")
        browser.key("Enter")
        browser.wait("document.getElementById('view').open")
        shown = 0
        for index in range(count):
            is_broken = browser.value("current.dataset.name") == "broken.jpg"
            if not is_broken:
                browser.wait("image.complete && image.naturalWidth > 0")
                wanted = browser.value("current.dataset.facts.split(' ')[0]")
                found = browser.value("image.naturalWidth + '×' + image.naturalHeight")
                shown += found == wanted and "cannot be shown" not in browser.value("caption.textContent")
            if index + 1 < count:
                browser.key("ArrowRight")
        checks.equal("originals shown in full", shown, count - 1)
        if keep:
            browser.screenshot(keep / "gallery-view.png")
        browser.key("ArrowRight")
        checks.equal("after the last comes none", browser.value("items.indexOf(current)"), count - 1)
        browser.key("Home")
        checks.equal("Home shows the first", browser.value("items.indexOf(current)"), 0)
        browser.key("End")
        browser.key("ArrowLeft")
        checks.equal("End and a step back", browser.value("items.indexOf(current)"), count - 2)
        browser.key("Escape")
        checks.true("Escape closes", not browser.value("document.getElementById('view').open"))
        browser.wait(f"items.findIndex(item => item.contains(document.activeElement)) === {count - 2}")
        checks.true("the picture seen last has the focus", True)
        browser.key("Home")
        browser.key("ArrowRight")
        browser.key("ArrowDown")
        columns = browser.value("getComputedStyle(grid).gridTemplateColumns.split(' ').length")
        checks.equal("arrows move through the grid",
                     browser.value("items.findIndex(item => item.contains(document.activeElement))"), 1 + columns)

        browser.value("document.activeElement.blur()")
        browser.key("/", "/")
        browser.type("SCRIPT (1")
        browser.wait("shown().length === 1")
        checks.equal("the filter finds words in any case, and tells how many", browser.value(
            "document.getElementById('count').textContent"), f"1 of {count}")
        if keep:
            browser.screenshot(keep / "gallery-filter.png")
        browser.type(" nothing")
        browser.wait("!document.getElementById('nothing').hidden")
        checks.true("no match is said", True)
        browser.key("Escape")
        browser.wait(f"shown().length === {count}")
        checks.true("Escape clears the filter", True)
        complaints = [text for text in browser.complaints if "ERR_FILE_NOT_FOUND" not in text]
        checks.equal("complaints of the browser", complaints, [])

        browser.open((folder / "gallery-beside.html").as_uri())
        checks.equal("thumbnails in a folder", browser.value(
            "Promise.all([...document.querySelectorAll('#grid img')].map(image => image.decode()))"
            ".then(all => all.length)"), count - 1)
        checks.equal("dialogs", browser.dialogs, 0)

        # The policy holds even if a name had become code.
        browser.value("const bad = document.createElement('script'); bad.textContent = 'window.hacked = 1';"
                      "document.body.append(bad)")
        checks.true("foreign scripts are refused", not browser.value("window.hacked"))
    with Browser(browser_program, dark=True) as browser:
        browser.open(page)
        checks.equal("dark where that is preferred",
                     browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(22, 22, 24)")
        if keep:
            browser.screenshot(keep / "gallery-dark.png")


def report(checks, program, browser_program, folder, keep):
    page = folder / "report.html"
    texel(program, "compress", folder / "in", "-r", "-q", "40", "-o", f"{folder}/out/", "--report", page, codes=(1,))
    count = len(list((folder / "in").iterdir()))
    with Browser(browser_program) as browser:
        browser.open(page.as_uri())
        checks.equal("every picture has a row", browser.value("rows.length"), count)
        checks.equal("every picture has a card", browser.value("cards.children.length"), count)
        checks.equal("pictures that were compared", browser.value("document.querySelectorAll('.pair').length"), count - 1)
        checks.true("the failure is told", "truncated" in browser.value(
            "[...cards.children].find(card => card.dataset.name.endsWith('broken.jpg')).textContent"))
        bars = browser.value("document.querySelectorAll('#chart rect').length")
        checks.equal("two bars a picture", bars, 2 * (count - 1))
        if keep:
            browser.screenshot(keep / "report.png")

        # Sorting, both ways, by each heading; unknown values stay last.
        for column in range(browser.value("headings.length")):
            for _ in range(2):
                browser.value(f"headings[{column}].firstChild.click()")
                sound = browser.value(f"""(() => {{
                  const heading = headings[{column}], sign = heading.ariaSort === "ascending" ? 1 : -1;
                  const cells = [...document.querySelectorAll("#table tbody tr")].map(row => row.cells[{column}].dataset.value);
                  const known = cells.filter(value => value !== undefined);
                  const isLast = cells.slice(known.length).every(value => value === undefined);
                  const inOrder = known.every((value, index) => !index || sign * (heading.classList.contains("number")
                    ? value - known[index - 1] : collator.compare(value, known[index - 1])) >= 0);
                  const together = rows.every((row, index) => cards.children[index] === card(row));
                  return isLast && inOrder && together && known.length > 0 && heading.ariaSort;
                }})()""")
                checks.true(f"column {column} sorts {sound}", sound in ("ascending", "descending"))

        # The slider.
        browser.value("document.querySelector('article:has(.pair)').scrollIntoView({ behavior: 'instant' })")
        browser.wait("document.querySelector('.pair .stack')")
        browser.wait("[...document.querySelectorAll('.stack')[0].querySelectorAll('img')].every(i => i.naturalWidth)")
        stack = "document.querySelector('.stack')"
        checks.equal("the cut begins in the middle", browser.value(f"{stack}.style.getPropertyValue('--cut')"), "50%")
        box = browser.value(f"(box => [box.left, box.top, box.width, box.height])({stack}.getBoundingClientRect())")
        middle = box[1] + min(box[3], 300) / 2
        browser.drag((box[0] + box[2] / 2, middle), (box[0] + box[2] / 4, middle))
        cut = float(browser.value(f"{stack}.style.getPropertyValue('--cut')").rstrip("%"))
        checks.true(f"the mouse moves the cut to a quarter ({cut})", abs(cut - 25) < 1)
        clip = browser.value(f"getComputedStyle({stack}.querySelector('.top')).clipPath")
        checks.true(f"the cut is where the pictures meet ({clip})", f"{cut:g}%" in clip)
        browser.value("document.querySelector('.pair input').focus()")
        browser.key("End")
        checks.equal("keys move it too", browser.value(f"{stack}.style.getPropertyValue('--cut')"), "100%")
        width = browser.value(f"{stack}.clientWidth")
        browser.value("document.querySelector('.pair button[value=\"4\"]').click()")
        natural = browser.value(f"{stack}.querySelector('img').naturalWidth")
        checks.equal("four times as large", browser.value(f"{stack}.clientWidth"), 4 * natural)
        checks.true("it was not before", width <= natural)
        details = browser.value("document.querySelectorAll('.pair[data-place]').length")
        checks.true(f"large pictures have a detail ({details})", details > 0)
        browser.value("""(() => { const pair = document.querySelector('.pair[data-place]');
          pair.closest('article').scrollIntoView({ behavior: 'instant' }); })()""")
        browser.wait("document.querySelector('.pair[data-place] .stack')")
        if keep:
            browser.screenshot(keep / "report-slider.png")
        browser.value("document.querySelector('.pair[data-place] button[value=detail]').click()")
        browser.value("document.querySelector('.pair[data-place] button[value=\"4\"]').click()")
        browser.wait("document.querySelector('.pair[data-place] img').naturalWidth > 0")
        place = browser.value("document.querySelector('.pair[data-place]').dataset.place.split(' ').map(Number)")
        checks.equal("the detail is pixels of the picture", browser.value(
            "document.querySelector('.pair[data-place] img').naturalWidth"), place[2])
        checks.equal("and they can be seen", browser.value(
            "getComputedStyle(document.querySelector('.pair[data-place] img')).imageRendering"), "pixelated")
        if keep:
            browser.screenshot(keep / "report-detail.png")

        browser.value("document.getElementById('filter').focus()")
        browser.type("onerror")
        browser.wait("rows.filter(row => !row.hidden).length === 1")
        checks.equal("cards follow the filter", browser.value(
            "[...cards.children].filter(card => !card.hidden).length"), 1)
        checks.equal("complaints of the browser", browser.complaints, [])
    with Browser(browser_program, dark=True) as browser:
        browser.open(page.as_uri())
        checks.equal("dark where that is preferred",
                     browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(22, 22, 24)")
        if keep:
            browser.screenshot(keep / "report-dark.png")


def many(checks, program, browser_program, folder, pictures, count, keep):
    """A report of many pictures: photographs, each as often as it takes."""
    inputs = folder / "many"
    inputs.mkdir()
    sources = sorted(path for path in pictures.rglob("*") if path.suffix in (".jpg", ".png"))
    for index in range(count):
        source = sources[index % len(sources)]
        (inputs / f"{index:04}{source.suffix}").symlink_to(source.resolve())
    page = folder / "many.html"
    start = time.monotonic()
    texel(program, "compress", inputs, "-r", "--effort", "fast", "-q", "60", "-o", f"{folder}/many-out/", "--report",
          page, "--progress", "none", codes=(0, 1))
    print(f"        {count} pictures compressed and compared in {time.monotonic() - start:.1f} s, "
          f"page of {page.stat().st_size / 1e6:.1f} MB", flush=True)
    times = []
    for _ in range(5):
        with Browser(browser_program) as browser:
            times.append(browser.open(page.as_uri()))
            checks.equal("rows", browser.value("rows.length"), count)
            if keep:
                browser.screenshot(keep / "report-many.png")
    times.sort()
    checks.true(f"{count} pictures open in {times[len(times) // 2]:.2f} s (median of 5; "
                f"{times[0]:.2f} to {times[-1]:.2f}), below 2 s", times[len(times) // 2] < 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texel", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("pictures", type=pathlib.Path, help="a folder of pictures")
    parser.add_argument("--many", type=pathlib.Path, help="a folder of photographs for the long report")
    parser.add_argument("--count", type=int, default=500, help="pictures of the long report; 0 leaves it out")
    parser.add_argument("--keep", type=pathlib.Path, help="where to put screenshots")
    options = parser.parse_args()
    browser = next((found for name in ["chromium", "chromium-browser", "google-chrome", "chrome"]
                    if (found := shutil.which(name))), None)
    if not browser:
        sys.exit("There is no Chromium; install it with: apt-get install chromium")
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "a folder #1"
        (folder / "in").mkdir(parents=True)
        sources = [options.pictures / name for name in ["photograph.jpg", "shapes-alpha.png", "orientation-6.jpg"]]
        for index, hostile in enumerate(HOSTILE_NAMES):
            shutil.copy(sources[index % len(sources)], folder / "in" / hostile)
        large = folder / "in" / "large.jpg"
        texel(options.texel, "resize", options.pictures / "photograph.jpg", "--width", "1600", "--enlarge", "-o", large)
        (folder / "in" / "broken.jpg").write_bytes((options.pictures / "photograph.jpg").read_bytes()[:3000])
        try:
            gallery(checks, options.texel, browser, folder, options.keep)
            report(checks, options.texel, browser, folder, options.keep)
            if options.count:
                photographs = options.many or options.pictures
                many(checks, options.texel, browser, folder, photographs, options.count, options.keep)
        except PageError as error:
            checks.true(f"{error}", False)
    if checks.failures:
        sys.exit(f"{checks.failures} checks failed")


main()
