"""jieba is ours alone: no shared state, no file outside the project, one load for all threads."""

import functools
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attention_core.words import segment, segmenter

ROOT = Path(__file__).parents[3]


def in_a_new_process(code, **environment):
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, env=environment or None, cwd=ROOT)


def test_importing_does_no_work():
    done = in_a_new_process("""
        import sys
        import attention_core.words
        assert not {"jieba", "opencc"} & set(sys.modules)
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_temp_file_no_default_dictionary_no_output(tmp_path):
    """A poisoned jieba.cache in the temp folder must not matter either."""
    poison = tmp_path / "jieba.cache"
    poison.write_bytes(b"poison")
    done = in_a_new_process(
        """
        import sys, tempfile
        from attention_core.words import segment
        assert [word.text for word in segment("我爱苹果")] == ["我", "爱", "苹果"]
        assert "opencc" not in sys.modules, "loaded for simplified text"
        segment("買蘋果")
        assert "opencc" in sys.modules
        import jieba
        assert jieba.dt.initialized is False and jieba.dt.FREQ == {}
        print(tempfile.gettempdir())
        """,
        TMPDIR=str(tmp_path),
        PATH="",
    )
    assert done.stderr == ""
    assert done.stdout.strip() == str(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["jieba.cache"]
    assert poison.read_bytes() == b"poison"


def test_threads_at_first_use_agree():
    done = in_a_new_process("""
        from concurrent.futures import ThreadPoolExecutor
        from attention_core.words import segment, segmenter
        sentences = ["我昨天去超市买了苹果。", "買了蘋果和一隻貓", "👨‍👩‍👧喜欢🇨🇳"] * 16
        with ThreadPoolExecutor(16) as pool:
            found = list(pool.map(segment, sentences))
            loaded = set(map(id, pool.map(lambda _: segmenter(), range(16))))
        assert found == [segment(sentence) for sentence in sentences]
        assert len(loaded) == 1
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_two_first_visitors_load_one_dictionary(monkeypatch):
    loads = []

    def slow_load():
        loads.append(time.sleep(0.05))
        return object()

    monkeypatch.setattr(sys.modules["attention_core.words.segment"], "_load", functools.cache(slow_load))
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: segmenter(), range(8)))) == 1
    assert len(loads) == 1


def test_jieba_is_silent(tmp_path):
    """Compiled anew, its sources give warnings; later it would report to stderr."""
    done = in_a_new_process(
        """
        import logging
        from attention_core.words import segment
        segment("我爱苹果")
        assert logging.getLogger("jieba").level > logging.CRITICAL
        """,
        PYTHONPYCACHEPREFIX=str(tmp_path),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_agree():
    sentences = ["我昨天去超市买了苹果。", "买了一棵树", "他穿著衣服", "a b c"] * 50
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(segment, sentences)) == [segment(sentence) for sentence in sentences]
    assert segmenter() is segmenter()


def test_cutting_changes_nothing():
    before = (len(segmenter()._tokenizer.FREQ), segmenter()._tokenizer.total)
    for sentence in ("看着一只猫", "龘龘龘", "不存在的词汇"):
        segment(sentence)
    assert (len(segmenter()._tokenizer.FREQ), segmenter()._tokenizer.total) == before
