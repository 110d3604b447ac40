"""`composite`: an outline that joins the outlines of other tools."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Strict

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, joins
from fecontact.study.base import Name, in_toml, key, unknown


class Composite(RigidTool):
    """Outlines of other tools, joined end to end; only the composite can move, not its parts."""

    type: Literal["composite"] = key("outlines of other tools, joined end to end")
    of: Annotated[tuple[Name, ...], Strict(False)] = key(
        "names of tools; each must start where the previous one ends", min_length=1
    )

    def wrong_parts(self, tools: Mapping[str, Any]) -> Iterator[str]:
        """Yield errors: undefined names, parts with a motion, ends that do not meet a start."""
        for name in self.of:
            part = tools.get(name)
            if part is None or isinstance(part, Composite):
                others = [n for n, tool in tools.items() if not isinstance(tool, Composite)]
                yield unknown("tool", name, others)
                return
            if part.drawn_in is not None:
                text = f"is {in_toml(self.of)}; {in_toml(name)} comes from the mesh file"
                yield f"{text}: draw the whole outline in its group {in_toml(part.drawn_in)}"
                return
            if not part.idle:
                text = f"is {in_toml(self.of)}; {in_toml(name)} must not move"
                yield f"{text}: the motion is that of the whole"
                return
        outlines = [tools[name].pieces(tools) for name in self.of]
        for (i, one), other in zip(enumerate(outlines), outlines[1:], strict=False):
            if not joins(one[-1].end, other[0].start, one):
                (ax, ay), (bx, by) = one[-1].end, other[0].start
                yield (
                    f"is {in_toml(self.of)}; {in_toml(self.of[i])} ends at [{ax:.6g}, {ay:.6g}], "
                    f"but {in_toml(self.of[i + 1])} starts at [{bx:.6g}, {by:.6g}]. Connect them."
                )
                return

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return list(itertools.chain(*(tools[name].pieces(tools) for name in self.of)))
