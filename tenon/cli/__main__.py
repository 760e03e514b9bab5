"""`python -m tenon.cli`."""

from tenon.cli import main

main()
