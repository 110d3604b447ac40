"""Reader of the corpus of invalid studies in `invalid/`.

Each rule is a paragraph: its name, the change of a valid study (lines of TOML; a line
`- key` drops a key) and, after `>`, every sentence the user must then see:

    # a step is positive
    time.step = 0.0
    > key `time.step` is 0.0; it must be a number > 0 or "auto", in s

A message that ends in … may continue with a list of keys, which grows with the models. `f*9000` and
`very *50` stand for repetitions, to keep long values readable.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.study.toml.layers import merge_into

HERE = Path(__file__).parent
VALID = {path.stem: path for path in sorted((HERE / "valid").glob("*.toml"))}


@dataclass(frozen=True)
class Rule:
    """One rule of study files, broken: the valid study, the change, the sentences."""

    name: str
    study: str
    change: str
    dropped: tuple[str, ...]
    sentences: tuple[str, ...]

    def reported_by(self, messages: list[str], where: str = "") -> bool:
        """Whether these are the sentences, each after the place of its key."""
        return len(messages) == len(self.sentences) and all(
            message.startswith(where + sentence[:-1])
            if sentence.endswith("…")
            else message == where + sentence
            for message, sentence in zip(messages, self.sentences, strict=True)
        )

    def data(self) -> dict[str, Any]:
        """The invalid study."""
        data = tomllib.loads(VALID[self.study].read_text(encoding="utf-8"))
        for key in self.dropped:
            *tables, last = key.split(".")
            inside = data
            for table in tables:
                inside = inside[table]
            del inside[last]
        for line in self.change.splitlines():
            merge_into(data, tomllib.loads(line))
        return data

    def write(self, path: Path) -> Path:
        """The invalid study as a file that extends the valid one."""
        assert not self.dropped, "a file cannot drop a key of the file it extends"
        path.write_text(f"extends = '{VALID[self.study]}'\n{self.change}", encoding="utf-8")
        return path


def rules(study: str) -> list[Rule]:
    """The rules of the corpus that break one of the valid studies."""
    text = (HERE / "invalid" / f"{study}.txt").read_text(encoding="utf-8")
    text = re.sub(r"(\w+ |\w)\*(\d+)", lambda m: m[1] * int(m[2]), text)
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.strip().splitlines()
        if not lines or not lines[0].startswith("# "):
            continue
        change = [line for line in lines[1:] if not line.startswith(("- ", "> "))]
        found.append(
            Rule(
                name=lines[0][2:],
                study=study,
                change="\n".join(change),
                dropped=tuple(line[2:] for line in lines if line.startswith("- ")),
                sentences=tuple(line[2:] for line in lines if line.startswith("> ")),
            )
        )
    return found
