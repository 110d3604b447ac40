"""Draw the pictures of docs/gallery.md and write the page: `python docs/figures/gallery.py`."""

from __future__ import annotations

from pathlib import Path

import fecontact

DOCS = Path(__file__).parents[1]
HEAD = """# Gallery

Studies that look like engineering. Each is one file: take it, change it, run it
(`fecontact run FILE`). They are run by the tests; each is trusted by its own limits. Times are
those of the steps alone, on one core of a busy machine.

<!-- made by docs/figures/gallery.py -->
"""


def main() -> None:
    parts = [HEAD]
    for path in sorted((DOCS / "gallery").glob("*.toml")):
        study = fecontact.load(path)
        result = fecontact.run(study)
        assert result.passed, path
        result.plot("deformed").save(DOCS / "pictures" / f"gallery-{path.stem}.png")
        record = result.record
        seconds = sum(record.timings.get(name, 0.0) for name in ("factorisation", "steps"))
        cost = (
            f"{len(record.mesh.points)} nodes, {record.statistics['steps']} steps, {seconds:.1f} s"
        )
        parts.append(
            f"\n## {study.title}\n\n![{study.title}](pictures/gallery-{path.stem}.png)\n\n"
            f"{study.description}\n\n"
            f"File: [gallery/{path.name}](gallery/{path.name}); {cost}.\n"
        )
    (DOCS / "gallery.md").write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
