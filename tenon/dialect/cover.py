"""A relation between dtypes, found by probing, told by few alternatives. Only the generator uses it."""

from collections.abc import Iterator
from itertools import permutations, product

Row = tuple[str, ...]  # a dtype per position
Letters = tuple[int, ...]  # for each position its letter's number: positions of one letter have one dtype
Box = tuple[Letters, tuple[tuple[str, ...], ...]]  # and for each letter the dtypes it may be


def cover(rows: frozenset[Row], dtypes: Row) -> list[Box]:
    """Boxes that hold exactly these rows: greedily, the largest first for the first row that is not yet held."""
    rank = {dtype: number for number, dtype in enumerate(dtypes)}
    ordered = sorted(rows, key=lambda row: [rank[dtype] for dtype in row])
    kinds = sorted({_letters(row) for row in rows}, key=lambda letters: (max(letters, default=0), letters))
    missing, found = set(rows), list[Box]()
    for row in ordered:
        if row not in missing:
            continue
        boxes = [box for kind in kinds if _fits(kind, row) for box in _grown(kind, row, rows, dtypes)]
        best = max(boxes, key=lambda box: len(missing & set(members(box))))
        missing -= set(members(best))
        found.append(best)
    return _needed(found)


def members(box: Box) -> Iterator[Row]:
    """Every row that a box holds."""
    letters, choices = box
    for choice in product(*choices):
        yield tuple(choice[letter] for letter in letters)


def _letters(row: Row) -> Letters:
    first = list(dict.fromkeys(row))
    return tuple(first.index(dtype) for dtype in row)


def _fits(letters: Letters, row: Row) -> bool:
    """Positions of one letter have one dtype in this row."""
    return len(set(zip(letters, row, strict=True))) == len(set(letters))


def _grown(letters: Letters, row: Row, rows: frozenset[Row], dtypes: Row) -> Iterator[Box]:
    """The boxes around a row that no further dtype can join, one for each order in which letters are widened."""
    count = max(letters, default=-1) + 1
    start = [row[letters.index(letter)] for letter in range(count)]
    orders = permutations(range(count)) if count <= 3 else [tuple(range(count)), tuple(reversed(range(count)))]
    for order in orders:
        choices = [[dtype] for dtype in start]
        for letter in order:
            for dtype in dtypes:
                others = [[dtype] if i == letter else choice for i, choice in enumerate(choices)]
                added = (letters, tuple(map(tuple, others)))
                if dtype != start[letter] and all(member in rows for member in members(added)):
                    choices[letter].append(dtype)
        yield letters, tuple(tuple(sorted(choice, key=dtypes.index)) for choice in choices)


def _needed(boxes: list[Box]) -> list[Box]:
    """Without those that the others hold already."""
    kept = list(boxes)
    for box in boxes:
        rest = {member for other in kept if other is not box for member in members(other)}
        if set(members(box)) <= rest:
            kept.remove(box)
    return kept
