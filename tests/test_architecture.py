"""The layout and its rules, kept by walking the source.

Imports run one way:

    pages, app -> attention_app.ui -> attention_app.{figures, components} -> attention_core -> numpy

attention_app.text is a leaf; the plain modules beside it (readings, labels, boxes) know only the core. Each rule is a
function of a root folder that returns what it found wrong. It runs on this project and on small bad trees, because
a rule that cannot fail protects nothing.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]

MAX_PAGE_LINES = 120
MAX_APP_LINES = 60
FOLDERS = (
    "attention_core",
    "attention_core/words",
    "attention_core/sources",
    "attention_core/translator",
    "attention_core/data",
    "attention_app",
    "attention_app/ui",
    "attention_app/figures",
    "attention_app/components",
    "attention_app/text",
    "pages",
    "training",
    "benchmarks",
    "tests/browser",
)
FILES = ("app.py", "asgi.py", "attention_app/readings.py", "requirements.txt", ".streamlit/config.toml")


class Layer(NamedTuple):
    """What a part of the project may import: other parts, and packages beside the standard library."""

    parts: frozenset[str]
    packages: frozenset[str]


def layer(parts: str = "", packages: str = "") -> Layer:
    return Layer(frozenset(parts.split()), frozenset(packages.split()))


LAYERS = {
    "core": layer("core words", "numpy"),
    "words": layer("core words", "numpy jieba regex opencc"),
    "text": layer("text"),
    "plain": layer("plain core words", "numpy"),
    "figures": layer("figures core words", "numpy plotly"),
    "components": layer("components plain core words", "numpy streamlit"),
    "ui": layer("ui components figures plain text core words", "numpy plotly streamlit cachetools segno"),
    "pages": layer("ui components figures plain text core words", "streamlit"),
    "app": layer("ui components figures plain text core words", "streamlit"),
    "asgi": layer("core", "streamlit starlette plotly"),
}
PREFIXES = {  # the longest one that fits a module decides
    "attention_core": "core",
    "attention_core.words": "words",
    "attention_app": "plain",
    "attention_app.text": "text",
    "attention_app.figures": "figures",
    "attention_app.components": "components",
    "attention_app.ui": "ui",
    "pages": "pages",
    "app": "app",
    "asgi": "asgi",
    "tests": "tests",
    "training": "training",
    "benchmarks": "benchmarks",
}
NETWORK = (
    "ftplib",
    "http.client",
    "http.server",
    "imaplib",
    "poplib",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "urllib.error",
    "urllib.request",
    "webbrowser",
    "xmlrpc",
)
OWN_ADDRESS = {"attention_app/ui/classroom.py": "socket"}  # asks this system for its own address; sends nothing
PICKLES = ("pickle", "shelve", "marshal", "dbm", "dill", "cloudpickle", "joblib")
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
COMES_WITH = {"starlette": "streamlit"}
HAN = re.compile(r"[\u3400-\u9fff]")
PROSE = re.compile(r"[A-Za-z]+(\s+[A-Za-z]+){3}")
UNSAFE_MARKUP = re.compile(
    r"\.(inner|outer)HTML\b|\[['\"](inner|outer)HTML|insertAdjacentHTML|document\s*\.\s*write|\beval\s*\(|new\s+Function\b"
    r"|createContextualFragment|\bsrcdoc\b|set(Timeout|Interval)\s*\(\s*['\"`]"
)
FETCH = re.compile(
    r"\bfetch\s*\(|XMLHttpRequest|new\s+(WebSocket|EventSource)\b|sendBeacon|importScripts|@import\b"
    r"|\bimport\b[^;\n]*['\"](https?:)?//|url\(\s*['\"]?(https?:)?//|src\s*=\s*['\"](https?:)?//"
)
# A path that exists only on one developer's machine, or outside of the checkout.
FOREIGN_PATH = re.compile(r"(?<![\w.}/-])(/(home|root|Users|work|mnt)/\w|(/|\.\./)*shared/\w)")
OUR_TEXT = (".py", ".js", ".css", ".html", ".toml", ".md", ".cfg", ".ini", ".yml", ".yaml", "Makefile", ".ci/run")


# ------------------------------------------------------------------------------------------- reading the tree


def files(root: Path, *suffixes: str) -> Iterator[Path]:
    """The project's own files, in order; nothing that a tool made."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        made = re.search(r"(^|/)(\.(?!streamlit/|ci/)[^/]*|__pycache__|output|build|dist)/", name)
        if path.is_file() and not made and name.endswith(suffixes):
            yield path


def module_of(root: Path, path: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str | None:
    """The project's part that a module belongs to; None: it is not ours."""
    while module:
        if module in PREFIXES:
            return PREFIXES[module]
        module = module.rpartition(".")[0]
    return None


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def run_time(root: Path) -> Iterator[tuple[Path, str, ast.Module]]:
    """Every file that takes part in the running app: path, part, syntax tree."""
    for path in files(root, ".py"):
        part = part_of(module_of(root, path))
        if part in LAYERS:
            yield path, part, parse(path)


def pages(root: Path) -> Iterator[tuple[Path, ast.Module]]:
    return ((path, tree) for path, part, tree in run_time(root) if part == "pages")


def imports(root: Path, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported: `from a import b` gives a.b; import_module("a") gives a."""
    package = module_of(root, path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__") and node.args:
            name = node.args[0]
            yield node.lineno, str(name.value) if isinstance(name, ast.Constant) else "a module named at run time"


def called(node: ast.Call) -> str:
    """The last name of what is called: f(), a.f() and a.b.f() are all "f"."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def within(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def without_annotations(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node except those of annotations, where `|` and the like are types."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                todo += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST)]


def docstrings(tree: ast.Module) -> set[int]:
    """The ids of constants that stand alone as statements: docstrings."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def at(root: Path, path: Path, line: int, what: str) -> str:
    return f"{path.relative_to(root).as_posix()}:{line}: {what}"


def matches(root: Path, path: Path, pattern: re.Pattern[str], what: str) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [at(root, path, n, f"{what}: {m[0]}") for n, line in enumerate(lines, 1) if (m := pattern.search(line))]


# ------------------------------------------------------------------------------------------------- the rules


def layout(root: Path) -> list[str]:
    """Every folder and file that the other rules speak of is there."""
    missing = [f"{name}/: no such folder" for name in FOLDERS if not (root / name).is_dir()]
    missing += [f"{name}: no such file" for name in FILES if not (root / name).is_file()]
    missing += [
        f"{name}/: no Python file"
        for name in FOLDERS
        if name != "attention_core/data" and not any((root / name).rglob("*.py"))
    ]
    return missing


def import_directions(root: Path) -> list[str]:
    """Imports run one way, and each part uses its own few packages (no torch, pandas or scipy in the app)."""
    wrong = []
    for path, part, tree in run_time(root):
        for line, name in imports(root, path, tree):
            other = part_of(name)
            top = name.partition(".")[0]
            if other is not None:
                allowed = other in LAYERS[part].parts
            else:
                allowed = top in LAYERS[part].packages or top in sys.stdlib_module_names
            if not allowed:
                wrong.append(at(root, path, line, f"{part} may not import {name}"))
    return wrong


def jieba_in_one_file(root: Path) -> list[str]:
    found = [
        at(root, path, line, "imports jieba")
        for path, _, tree in run_time(root)
        for line, name in imports(root, path, tree)
        if within(name, ("jieba",))
    ]
    one = len({place.partition(":")[0] for place in found}) <= 1
    return [place for place in found if not (one and place.startswith("attention_core/words/"))]


def requirements_named(root: Path) -> list[str]:
    """Every package the app imports stands in requirements.txt, and nothing else does."""
    lines = (root / "requirements.txt").read_text("utf-8").splitlines()
    named = {m[0].lower() for line in lines if (m := re.match(r"[A-Za-z][\w-]*", line))}
    used = {
        COMES_WITH.get(top, top)
        for path, _, tree in run_time(root)
        for _, name in imports(root, path, tree)
        if (top := name.partition(".")[0]) not in sys.stdlib_module_names and part_of(name) is None
    }
    return [f"requirements.txt: {name} is {'unused' if name in named else 'missing'}" for name in sorted(named ^ used)]


def no_network(root: Path) -> list[str]:
    """The running app asks nobody for anything."""
    wrong = [
        at(root, path, line, f"{name} can reach the network")
        for path, _, tree in run_time(root)
        for line, name in imports(root, path, tree)
        if within(name, NETWORK) and OWN_ADDRESS.get(path.relative_to(root).as_posix()) != name
    ]
    for folder in ("attention_app", "pages"):
        for path in files(root / folder, ".js", ".css", ".html", ".svg"):
            wrong += matches(root, path, FETCH, "fetches")
    return wrong


def no_pickle(root: Path) -> list[str]:
    wrong = []
    for path in files(root, ".py"):
        tree = parse(path)
        wrong += [
            at(root, path, line, f"imports {name}") for line, name in imports(root, path, tree) if within(name, PICKLES)
        ]
        wrong += [
            at(root, path, node.value.lineno, "allow_pickle")
            for node in ast.walk(tree)
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle" and not is_false(node.value)
        ]
    return wrong


def no_unsafe_markup(root: Path) -> list[str]:
    """What a person typed enters a page as text only."""
    wrong = []
    for path, part, tree in run_time(root):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.keyword)
                and (node.arg or "").startswith("unsafe_allow")
                and not is_false(node.value)
            ):
                wrong.append(at(root, path, node.value.lineno, str(node.arg)))
            if part == "pages" and isinstance(node, ast.Call) and called(node) in ("html", "iframe", "component"):
                wrong.append(at(root, path, node.lineno, "a page writes no HTML"))
    for path in files(root / "attention_app", ".js", ".html", ".py"):
        wrong += matches(root, path, UNSAFE_MARKUP, "unsafe")
    return wrong


def is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def no_foreign_path(root: Path) -> list[str]:
    return [w for path in files(root, *OUR_TEXT) for w in matches(root, path, FOREIGN_PATH, "a path outside")]


def files_are_short(root: Path) -> list[str]:
    limits = [(path, MAX_PAGE_LINES) for path, _ in pages(root)] + [(root / "app.py", MAX_APP_LINES)]
    counted = [(path, len(path.read_text("utf-8").splitlines()), limit) for path, limit in limits]
    return [at(root, path, n, f"longer than {limit} lines") for path, n, limit in counted if n > limit]


def pages_are_thin(root: Path) -> list[str]:
    """A page computes nothing, keeps nothing and says nothing of its own."""
    wrong = []
    for path, tree in pages(root):
        spoken = docstrings(tree)
        for line, name in imports(root, path, tree):
            if within(name, ("math", "cmath", "statistics", "operator", "fractions", "decimal", "random")):
                wrong.append(at(root, path, line, f"a page computes nothing: {name}"))
        for node in without_annotations(tree):
            line = getattr(node, "lineno", 0)
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ARITHMETIC):
                wrong.append(at(root, path, line, "arithmetic in a page"))
            elif isinstance(node, ast.ClassDef):
                wrong.append(at(root, path, line, "a class in a page is a new one at each rerun"))
            elif "session_state" in (getattr(node, "attr", ""), getattr(node, "id", ""), getattr(node, "name", "")):
                wrong.append(at(root, path, line, "a page leaves session_state to attention_app.ui"))
            elif isinstance(node, ast.Constant) and id(node) not in spoken and is_prose(node.value):
                wrong.append(at(root, path, line, "prose belongs in attention_app/text"))
    return wrong


def is_prose(value: object) -> bool:
    return isinstance(value, str) and bool(HAN.search(value) or PROSE.search(value))


def pages_are_guarded(root: Path) -> list[str]:
    """The first thing a page does is frame.ensure("pages/<its own name>.py")."""
    wrong = []
    for path, tree in pages(root):
        todo = [
            node
            for node in tree.body
            if not isinstance(node, ast.Import | ast.ImportFrom)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]
        wanted = f"frame.ensure('{path.relative_to(root).as_posix()}')"
        if not todo or ast.unparse(todo[0]) != wanted:
            wrong.append(at(root, path, todo[0].lineno if todo else 1, f"the first statement is not {wanted}"))
        if "attention_app.ui.frame" not in {name for _, name in imports(root, path, tree)}:
            wrong.append(at(root, path, 1, "frame is not attention_app.ui.frame"))
    return wrong


def tools_stay_out(root: Path) -> list[str]:
    """The app and the core do not know tests, training and benchmarks."""
    return [
        at(root, path, line, f"imports {name}")
        for path, _, tree in run_time(root)
        for line, name in imports(root, path, tree)
        if part_of(name) in ("tests", "training", "benchmarks")
    ]


def languages_agree(root: Path) -> list[str]:
    """Both languages have the same files, the same keys, and the same fields in each text."""
    folder = root / "attention_app" / "text"
    wrong = []
    entries: dict[str, dict[str, dict[str, str]]] = {"zh": {}, "en": {}}
    for path in files(folder, ".toml"):
        name, _, language = path.stem.rpartition(".")
        if language in entries:
            entries[language][name] = flat(tomllib.loads(path.read_text("utf-8")))
    zh, en = entries["zh"], entries["en"]
    if not zh and not en:
        wrong.append("attention_app/text: no texts")
    wrong += [f"attention_app/text: {name} is in one language only" for name in sorted(zh.keys() ^ en.keys())]
    for name in sorted(zh.keys() & en.keys()):
        wrong += [f"{name}: {key} is in one language only" for key in sorted(zh[name].keys() ^ en[name].keys())]
        for key in sorted(zh[name].keys() & en[name].keys()):
            if fields(zh[name][key]) != fields(en[name][key]):
                wrong.append(f"{name}: {key} has other fields in the other language")
        wrong += [f"{name}: {key} is empty" for key in zh[name] if not (zh[name][key] and en[name].get(key, "-"))]
    prose = {language: {p.name for p in files(folder / "pages" / language, ".md")} for language in entries}
    wrong += [f"attention_app/text/pages: {name} is in one language only" for name in sorted(prose["zh"] ^ prose["en"])]
    return wrong


def texts_are_used(root: Path) -> list[str]:
    """Every text stands somewhere: its key, or a table it is in, is written out, or an f-string can become it.

    The texts of the table that bears the name of a view are read by the view itself.
    """
    written: set[str] = set()
    made: list[re.Pattern[str]] = []
    for _, _, tree in run_time(root):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "" for part in node.values]
                if re.search(r"[a-z]{2}", "".join(parts)):  # else it could become any key
                    made.append(re.compile("".join(re.escape(part) if part else r"[^.]+" for part in parts)))
    for path in files(root / "attention_app" / "components", "view.js"):
        read = re.findall(r"\btexts\.(\w+)", path.read_text("utf-8"))
        written |= {f"{path.parent.name}.{name}" for name in read}
    wrong = []
    for path in files(root / "attention_app" / "text", ".zh.toml"):
        for key in flat(tomllib.loads(path.read_text("utf-8"))):
            parts = key.split(".")
            tables = {".".join(parts[:n]) for n in range(2, len(parts) + 1)} | {key}
            if not tables & written and not any(pattern.fullmatch(key) for pattern in made):
                wrong.append(f"{path.name}: {key} is never shown")
    return wrong


def flat(table: dict[str, Any], above: str = "") -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, value in table.items():
        texts |= flat(value, f"{above}{key}.") if isinstance(value, dict) else {f"{above}{key}": str(value)}
    return texts


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


# ------------------------------------------------------------------------------- the rules on this project


RULES: tuple[Callable[[Path], list[str]], ...] = (
    layout,
    import_directions,
    jieba_in_one_file,
    requirements_named,
    no_network,
    no_pickle,
    no_unsafe_markup,
    no_foreign_path,
    files_are_short,
    pages_are_thin,
    pages_are_guarded,
    tools_stay_out,
    languages_agree,
    texts_are_used,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_project_keeps(rule: Callable[[Path], list[str]]) -> None:
    assert "\n".join(rule(ROOT)) == ""


# ------------------------------------------------------------------------------------- the rules can fail

SLASH = "/"  # set apart, so that this file keeps the rule about paths
PAGE = 'from attention_app.ui import frame\n\nframe.ensure("pages/a.py")\n'
GOOD = {
    **{f"{name}/__init__.py": "" for name in FOLDERS if name not in ("attention_core/data", "pages")},
    "attention_core/data/words.txt": "你好",
    "attention_core/ops.py": "import numpy as np\n",
    "attention_core/words/cut.py": "import jieba\nimport regex\nimport opencc\nfrom . import word\n",
    "attention_core/sources/real.py": "from attention_core.words import cut\nfrom ..ops import softmax\n",
    "attention_app/readings.py": "from attention_core import ops\n",
    "attention_app/text/a.zh.toml": 'title = "{n} 个词"\n',
    "attention_app/text/a.en.toml": 'title = "{n} words"\n',
    "attention_app/figures/map.py": "import plotly.graph_objects as go\nfrom attention_core import ops\n",
    "attention_app/components/chips/__init__.py": "import streamlit as st\n",
    "attention_app/components/chips/view.js": "// a comment\nnode.textContent = data.text;\n",
    "attention_app/ui/classroom.py": "import socket\nimport segno\n",
    "attention_app/ui/cache.py": "import cachetools\nimport streamlit as st\nfrom attention_app.figures import map\n"
    "t('title')\n",
    "pages/a.py": f'"""说明文字 in a docstring."""\n{PAGE}def f(x: "int | None") -> int | None:\n    return x\n',
    "app.py": "import os\nfrom attention_app.ui import frame\n",
    "asgi.py": "import streamlit as st\nfrom starlette.middleware import Middleware\n",
    "requirements.txt": "streamlit>=1\nnumpy\nplotly\njieba\nregex\nopencc\ncachetools\nsegno\n",
    ".streamlit/config.toml": "",
    "tests/test_a.py": "import pandas\nfrom training import build\n",
    "training/build.py": "import torch\n",
    "benchmarks/run.py": "from tests import test_a\nimport urllib.request\n",
}
BAD: tuple[tuple[Callable[[Path], list[str]], str, str | None], ...] = (
    (layout, "app.py", None),
    (layout, "attention_app/readings.py", None),
    (layout, "pages/a.py", None),
    (import_directions, "attention_core/a.py", "import streamlit"),
    (import_directions, "attention_core/a.py", "import plotly.express"),
    (import_directions, "attention_core/a.py", "import torch"),
    (import_directions, "attention_core/a.py", "from scipy import special"),
    (import_directions, "attention_core/a.py", "from attention_app.ui import state"),
    (import_directions, "attention_core/a.py", "import jieba"),
    (import_directions, "attention_core/a.py", "def f():\n    import pandas"),
    (import_directions, "attention_core/a.py", "import importlib\nimportlib.import_module('torch')"),
    (import_directions, "attention_core/a.py", "name = 'torch'\n__import__(name)"),
    (import_directions, "attention_app/figures/a.py", "import streamlit as st"),
    (import_directions, "attention_app/figures/a.py", "from attention_app import ui"),
    (import_directions, "attention_app/figures/a.py", "from ..text import load"),
    (import_directions, "attention_app/figures/a.py", "from attention_app.components import chips"),
    (import_directions, "attention_app/components/a.py", "from attention_app.ui import state"),
    (import_directions, "attention_app/components/a.py", "import plotly"),
    (import_directions, "attention_app/text/a.py", "import attention_core"),
    (import_directions, "attention_app/text/a.py", "import streamlit"),
    (import_directions, "attention_app/readings.py", "from attention_app.text import load"),
    (import_directions, "attention_app/readings.py", "import streamlit"),
    (import_directions, "attention_app/ui/a.py", "import pages.a"),
    (import_directions, "attention_app/ui/a.py", "import pandas as pd"),
    (import_directions, "pages/a.py", "import numpy as np"),
    (import_directions, "pages/a.py", "from plotly import graph_objects"),
    (import_directions, "app.py", "import numpy"),
    (import_directions, "asgi.py", "import app"),
    (jieba_in_one_file, "attention_core/words/b.py", "import jieba"),
    (jieba_in_one_file, "attention_app/ui/a.py", "from jieba import posseg"),
    (requirements_named, "attention_core/a.py", "import torch"),
    (
        requirements_named,
        "requirements.txt",
        "streamlit\nnumpy\nplotly\njieba\nregex\nopencc\ncachetools\nsegno\npandas",
    ),
    (no_network, "attention_app/ui/a.py", "import urllib.request"),
    (no_network, "attention_app/ui/a.py", "from urllib import request"),
    (no_network, "attention_core/a.py", "from http.client import HTTPConnection"),
    (no_network, "attention_core/a.py", "import socket"),
    (no_network, "attention_app/ui/classroom.py", "import urllib.request"),
    (no_network, "attention_app/components/chips/view.js", "fetch('/x')"),
    (no_network, "attention_app/components/chips/view.js", "import d3 from 'https://cdn.example/d3.js'"),
    (no_network, "attention_app/components/chips/view.css", "p { background: url(https://cdn.example/x.png) }"),
    (no_network, "attention_app/ui/look.css", "@import 'fonts.css';"),
    (no_pickle, "attention_core/a.py", "import pickle"),
    (no_pickle, "training/a.py", "from joblib import load"),
    (no_pickle, "attention_core/a.py", "np.load(path, allow_pickle=True)"),
    (no_pickle, "tests/test_a.py", "np.load(path, allow_pickle=flag)"),
    (no_unsafe_markup, "attention_app/ui/a.py", "st.markdown(text, unsafe_allow_html=True)"),
    (no_unsafe_markup, "pages/a.py", "st.markdown(text, unsafe_allow_html=flag)"),
    (no_unsafe_markup, "pages/a.py", "st.html(text)"),
    (no_unsafe_markup, "attention_app/components/chips/view.js", "node.innerHTML = data.text"),
    (no_unsafe_markup, "attention_app/components/chips/view.js", "node['innerHTML'] = data.text"),
    (no_unsafe_markup, "attention_app/components/chips/view.js", "node.insertAdjacentHTML('beforeend', x)"),
    (no_unsafe_markup, "attention_app/components/chips/view.js", "document.write(x)"),
    (no_unsafe_markup, "attention_app/components/chips/view.js", "eval(x)"),
    (no_unsafe_markup, "attention_app/components/chips/__init__.py", "JS = 'node.outerHTML = x'"),
    (no_foreign_path, "attention_core/a.py", f"open('{SLASH}home/me/weights.npz')"),
    (no_foreign_path, "README.md", f"see {SLASH}mnt/disk/notes.md"),
    (no_foreign_path, "tests/test_a.py", f"Path('..{SLASH}shared{SLASH}golden')"),
    (no_foreign_path, "Makefile", f"cp shared{SLASH}data.txt ."),
    (files_are_short, "pages/a.py", "\n" * (MAX_PAGE_LINES + 1)),
    (files_are_short, "app.py", "\n" * (MAX_APP_LINES + 1)),
    (pages_are_thin, "pages/a.py", "x = 1 + y"),
    (pages_are_thin, "pages/a.py", "x += 1"),
    (pages_are_thin, "pages/a.py", "x = q @ k"),
    (pages_are_thin, "pages/a.py", "x = 'a%s' % y"),
    (pages_are_thin, "pages/a.py", "import math"),
    (pages_are_thin, "pages/a.py", "class A: pass"),
    (pages_are_thin, "pages/a.py", "st.session_state['a'] = 1"),
    (pages_are_thin, "pages/a.py", "from streamlit import session_state as s"),
    (pages_are_thin, "pages/a.py", "st.write('你好')"),
    (pages_are_thin, "pages/a.py", "st.write(f'{x} looks at the word')"),
    (pages_are_guarded, "pages/a.py", "import streamlit as st\nst.title('a')\n" + PAGE),
    (pages_are_guarded, "pages/a.py", ""),
    (pages_are_guarded, "pages/b.py", PAGE),
    (pages_are_guarded, "pages/a.py", PAGE.replace("attention_app.ui", "attention_app.figures")),
    (tools_stay_out, "attention_core/a.py", "from tests import test_a"),
    (tools_stay_out, "app.py", "import benchmarks.run"),
    (tools_stay_out, "pages/a.py", "import training"),
    (texts_are_used, "attention_app/text/a.zh.toml", 'title = "{n} 个词"\nmore = "更多"'),
    (texts_are_used, "attention_app/text/a.zh.toml", '[page]\ntitle = "{n} 个词"\n[page.a]\nb = "更多"'),
    (texts_are_used, "attention_app/text/chips.zh.toml", '[chips]\ntext = "没有人读"'),
    (texts_are_used, "attention_app/ui/cache.py", "import cachetools\nimport streamlit as st\nt(f'{x}.{y}')"),
    (languages_agree, "attention_app/text/b.zh.toml", 'title = "只有中文"'),
    (languages_agree, "attention_app/text/a.zh.toml", 'title = "{n} 个词"\nmore = "更多"'),
    (languages_agree, "attention_app/text/a.zh.toml", 'title = "{count} 个词"'),
    (languages_agree, "attention_app/text/a.zh.toml", 'title = ""'),
    (languages_agree, "attention_app/text/a.zh.toml", '[title]\nshort = "{n} 个词"'),
    (languages_agree, "attention_app/text/pages/zh/a.md", "只有中文"),
)


def build(root: Path, tree: dict[str, str]) -> Path:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_good_tree_passes(rule: Callable[[Path], list[str]], tmp_path: Path) -> None:
    assert rule(build(tmp_path, GOOD)) == []


@pytest.mark.parametrize(("rule", "name", "text"), BAD)
def test_a_bad_tree_fails(rule: Callable[[Path], list[str]], name: str, text: str | None, tmp_path: Path) -> None:
    build(tmp_path, GOOD | ({} if text is None else {name: text}))
    if text is None:
        (tmp_path / name).unlink()
    assert rule(tmp_path) != []


def test_every_rule_is_seen_to_fail() -> None:
    assert {rule for rule, _, _ in BAD} == set(RULES)
