"""Rule files of a project, as texts: what a test's manifest names under `rules`."""

# Several lumps of one file, announced: `NAME/head` is its first line, `NAME/tail` the rest.
PARTS = """
from lumpyard.rule import Product, Rule

def cook(sources, options):
    head, _, tail = sources[0].data.partition(b"\\n")
    yield Product(head, f"{sources[0].name}/head", "HEAD", 7)
    yield Product(tail, f"{sources[0].name}/tail", "TAIL")

RULE = Rule(kind="parts", version=1, suffixes={".parts"}, cook=cook, fourcc="PART", schema=2,
            products=lambda name, options: [f"{name}/head", f"{name}/tail"])
"""

# One lump a line, known after cooking: `NAME#0` and so on.
LINES = """
from lumpyard.rule import Product, Rule

def cook(sources, options):
    for number, line in enumerate(sources[0].data.split(b"\\n")):
        yield Product(line, f"{sources[0].name}#{number}")

RULE = Rule(kind="lines", version=1, suffixes={".lines"}, cook=cook, fourcc="LINE",
            products=lambda name, options: None)
"""

# Gathered files, joined in the order given.
JOIN = """
from lumpyard.rule import Product, Rule

RULE = Rule(kind="join", version=1, suffixes={".piece"}, fourcc="JOIN",
            cook=lambda sources, options: [Product(b"|".join(source.data for source in sources))])
"""

# A costly rule with options and a module of its own, which says the word that it puts in front.
SLOW = """
from dataclasses import dataclass
from lumpyard.rule import Product, Rule
from wording import WORD

@dataclass(frozen=True)
class Options:
    loud: bool = False

def cook(sources, options):
    text = WORD + b": " + sources[0].data
    return [Product(text.upper() if options.loud else text)]

RULE = Rule(kind="slow", version=1, suffixes={".slow"}, cook=cook, options=Options, costly=True, fourcc="SLOW")
"""
WORDING = 'WORD = b"slowly"\n'

# A file with all that it includes, line by line; the first of two folders that has an include gives it.
INCLUDES = """
from lumpyard.rule import Product, Rule

def expand(source, text):
    for line in text.splitlines(keepends=True):
        if not line.startswith(b"include "):
            yield line
            continue
        name = line.split()[1].decode()
        for folder in ("inc/first", "inc/second"):
            if source.exists(f"{folder}/{name}"):
                yield from expand(source, source.read(f"{folder}/{name}"))
                break
        else:
            source.problem(f"no include {name}")

RULE = Rule(kind="shader", version=1, suffixes={".shader"}, costly=True,
            cook=lambda sources, options: [Product(b"".join(expand(sources[0], sources[0].data)))])
"""

# A rule that does what its source says: fails, reports, warns.
MOODY = """
import os
from lumpyard.rule import Product, Rule

def cook(sources, options):
    source = sources[0]
    word = source.data.partition(b"\\n")[0]
    if word == b"die":
        os.kill(os.getpid(), 9)
    if word == b"raise":
        raise RuntimeError("out of sorts")
    if word == b"bad":
        source.problem("this is bad", line=1, column=2, hint="make it good")
    if word == b"warn":
        source.problem("this is odd", line=1, warning=True)
    return [Product(source.data)]

RULE = Rule(kind="moody", version=1, suffixes={".moody"}, cook=cook)
"""
