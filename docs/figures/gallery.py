"""Draw the pictures of docs/gallery.md and write the page: `python docs/figures/gallery.py`."""

from __future__ import annotations

from pathlib import Path

import fecontact

DOCS = Path(__file__).parents[1]
HEAD = """# Gallery

Studies that look like engineering. Each is one file: take it, change it, run it
(`fecontact run FILE`). They are run by the tests; each is trusted by its own limits, and most by a
calculation by hand that stands at the end of its file. Times are those of the steps alone, on one
core.

<!-- made by docs/figures/gallery.py -->
"""


def main() -> None:
    parts = [HEAD]
    for path in sorted((DOCS / "gallery").glob("*.toml")):
        study = fecontact.load(path)
        result = fecontact.run(study)
        assert result.passed, path
        record = result.record
        name = "deformed" if record.mesh is not None else None  # else the first history
        result.plot(name).save(DOCS / "pictures" / f"gallery-{path.stem}.png")
        seconds = sum(record.timings.get(name, 0.0) for name in ("factorisation", "steps"))
        size = "lumped" if record.mesh is None else f"{len(record.mesh.points)} nodes"
        took = f"{seconds:.1f} s" if seconds >= 0.05 else "under 0.1 s"
        cost = f"{size}, {record.statistics['steps']} steps, {took}"
        parts.append(
            f"\n## {study.title}\n\n![{study.title}](pictures/gallery-{path.stem}.png)\n\n"
            f"{study.description}\n\n"
            f"File: [gallery/{path.name}](gallery/{path.name}); {cost}.\n"
        )
    (DOCS / "gallery.md").write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
