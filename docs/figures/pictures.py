"""Reduce the size of the documentation's pictures and draw the overview of the README.

Run `python docs/figures/pictures.py` after drawing pictures again.

Plots have few colours: an indexed palette at the width at which the pages show them keeps the text
sharp at about a third of the size.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[1] / "pictures"
WIDTH, HEIGHT = 800, 900  # largest size on a page, pixels
COLOURS = 96
OVERVIEW_HEIGHT = 300
# The plot itself in the gallery's pictures, without axes and title: left, top, right, bottom.
OVERVIEW = {
    "gallery-dovetail": (0.33, 0.035, 0.80, 0.43),
    "gallery-drum-brake": (0.13, 0.22, 0.84, 0.80),
    "gallery-rubber-pad": (0.13, 0.08, 0.80, 0.86),
    "gallery-dropped-on-a-corner": (0.10, 0.13, 0.82, 0.86),
}


def reduce(path: Path) -> None:
    """Write a picture with an indexed palette, at most WIDTH × HEIGHT pixels large."""
    image = Image.open(path)
    share = min(1.0, WIDTH / image.width, HEIGHT / image.height)
    if image.mode == "P" and share == 1.0:
        return
    image = image.convert("RGB")
    if share < 1.0:
        size = round(image.width * share), round(image.height * share)
        image = image.resize(size, Image.LANCZOS)
    indexed(image).save(path, optimize=True)


def indexed(image: Image.Image) -> Image.Image:
    """Return a picture with colours that also cover small areas, such as those of a colour bar."""
    return image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def draw_overview() -> None:
    """Draw four pieces of the gallery in a row: the picture at the top of the README."""
    parts = []
    for name, box in OVERVIEW.items():
        image = Image.open(PICTURES / f"{name}.png").convert("RGB")
        sides = [image.width, image.height] * 2
        image = image.crop(tuple(round(f * s) for f, s in zip(box, sides, strict=True)))
        scale = min(OVERVIEW_HEIGHT / image.height, 1.3 * OVERVIEW_HEIGHT / image.width)
        parts.append(image.resize((round(image.width * scale), round(image.height * scale))))
    gap = 12
    row = Image.new("RGB", (sum(p.width + gap for p in parts), OVERVIEW_HEIGHT), "white")
    left = 0
    for part in parts:
        row.paste(part, (left, (OVERVIEW_HEIGHT - part.height) // 2))
        left += part.width + gap
    indexed(row).save(PICTURES / "overview.png", optimize=True)


if __name__ == "__main__":
    draw_overview()
    for picture in sorted(PICTURES.glob("*.png")):
        reduce(picture)
