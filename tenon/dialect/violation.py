"""One thing that a dialect forbids: where, which rule, what, and what to do."""

from dataclasses import dataclass

from tenon.ir.graph import Source


@dataclass(frozen=True, slots=True)
class Violation:
    where: str  # a node or value, as errors name it
    rule: str
    what: str
    source: Source | None = None
    remedy: str = ""

    def __str__(self) -> str:
        place = f"   {self.source}" if self.source else ""
        return f"{self.where}   [{self.rule}] {self.what}{place}"
