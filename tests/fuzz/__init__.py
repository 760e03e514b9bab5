"""Random programs, run in lean mode and in torch: `python -m tests.fuzz --programs 1000`.

In: a seed. Out: the programs whose results differ, each shrunk to the smallest that still does.
"""
