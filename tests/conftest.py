"""Before/after tests of passes: a `.ir` file holds both graphs, `pytest --bless` writes what a pass does now."""


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="write the results of passes into their .ir files")
