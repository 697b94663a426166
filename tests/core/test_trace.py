"""`frozen`: what a trace keeps cannot be changed from outside."""

import numpy as np

from attention_core.trace import frozen


def test_a_writable_array_is_copied():
    array = np.arange(3.0)
    kept = frozen(array)
    array[0] = 9
    assert kept[0] == 0
    assert not kept.flags.writeable
    assert array.flags.writeable


def test_a_read_only_view_of_a_writable_array_is_copied():
    array = np.arange(3.0)
    view = array[:]
    view.setflags(write=False)
    kept = frozen(view)
    array[0] = 9
    assert kept[0] == 0


def test_a_safe_array_is_not_copied():
    safe = frozen(np.arange(3.0))
    assert frozen(safe) is safe
    part = safe[1:]
    assert frozen(part) is part
