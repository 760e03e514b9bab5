"""How a reader is shown to be sound: whatever text it gets, it gives a graph or says Invalid."""

import sys
from contextlib import contextmanager

from tenon.errors import Invalid


def breaking(texts, read, write=None):
    """The places whose damaged text gives anything but Invalid or a graph (that can be written and read again)."""
    return [(place, fault) for place, text in texts if (fault := _fault(text, read, write))]


def _fault(text, read, write):
    try:
        graph = read(text)
    except Invalid as error:
        return "" if str(error) else "refused without a word"
    except Exception as error:  # whatever it is, it is what the test looks for
        return f"raised {error!r}"
    if write is None:
        return ""
    try:
        return "" if repr(read(write(graph))) == repr(graph) else "read as another graph when written again"
    except Exception as error:
        return f"read, but when written again raised {error!r}"


@contextmanager
def shallow_stack(frames=150):
    """Inside, only so many more calls may be nested."""
    frame, depth = sys._getframe(), 0
    while frame:
        frame, depth = frame.f_back, depth + 1
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
