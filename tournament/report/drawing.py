"""One chart: drawn with matplotlib, kept as SVG text that is the same for the same values.

matplotlib is imported when the first chart is drawn, and its global state is left as it was. Sizes are in inches.
"""

from __future__ import annotations

import io
import logging
import math
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.2  # of every chart: the text of a page
LETTER = 0.078  # about as wide as a letter is at most, on average
LONGEST_NAME = 26  # letters of a name in a chart; tables have all of it
INK = "#1c2127"
GRID = "#c5cad1"
BEHIND = "#9aa1ab"  # those of many who are drawn, but not named
MADE_BY = "tourney"  # how a file says that it is one of ours

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
FONT = "font-family: system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

STYLE: dict[Any, Any] = {
    "svg.hashsalt": MADE_BY,
    "svg.fonttype": "none",  # text stays text: it can be searched, read out and scaled
    "text.parse_math": False,  # a name may hold $
    "axes.unicode_minus": True,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: measures the same everywhere
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.edgecolor": GRID,
    "axes.linewidth": 0.8,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.color": BEHIND,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.5,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
}


@dataclass(frozen=True)
class Chart:
    """A picture with what it is called and what it shows."""

    name: str  # of its file, without .svg
    title: str
    caption: str
    svg: str

    @property
    def embedded(self) -> str:
        """The picture for a page, in the colours of its text."""
        paper = f'<rect width="100%" height="100%" fill="{PAPER}" />'
        return self.svg.replace(paper, "", 1).replace(INK, "currentColor").replace(GRID, "var(--line)")


PAPER = "#ffffff"  # behind a picture that stands alone, so that it can be read on a dark page too


@contextmanager
def drawing() -> Iterator[None]:
    """Charts are drawn within this: in our style, and without a word about letters that a font lacks."""
    logging.getLogger("matplotlib").setLevel(
        logging.ERROR
    )  # no word about a folder for its cache that can't be written
    from matplotlib import rc_context

    with rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def warm_up() -> None:
    """Import all that charts are drawn with, fonts included, by drawing one: it takes longer than they do."""
    with drawing():
        figure = new_figure(1.0)
        axes_at(figure, 0.5, 0.5, 1.0, 0.9).set_title("title")
        chart(figure, "", "", "")


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """An empty figure."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def axes_at(figure: Figure, left: float, bottom: float, right: float, top: float) -> Axes:
    """Axes whose edges are so far from the left and bottom edges of the figure."""
    width, height = figure.get_size_inches()
    return figure.add_axes((left / width, bottom / height, (right - left) / width, (top - bottom) / height))


_also: dict[tuple[str, str], bytes] = {}  # by name and ending
_endings: list[str] = []


@contextmanager
def also_as(endings: Collection[str]) -> Iterator[dict[tuple[str, str], bytes]]:
    """Charts that are drawn within this are kept as pictures of these endings too, by name and ending."""
    _endings[:] = endings
    made: dict[tuple[str, str], bytes] = {}
    try:
        yield made
        made.update(_also)
    finally:
        _endings.clear()
        _also.clear()


def picture(figure: Figure, ending: str) -> bytes:
    """A figure as a file of that ending: svg, pdf or png."""
    page = io.BytesIO()
    figure.savefig(
        page, format=ending, dpi=200, facecolor=PAPER, metadata={"CreationDate": None} if ending == "pdf" else None
    )
    return page.getvalue()


def chart(figure: Figure, name: str, title: str, caption: str) -> Chart:
    """The finished chart of a figure."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    for ending in _endings:
        _also[name, ending] = picture(figure, ending)
    page = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(page, metadata=nothing)  # type: ignore[no-untyped-call]
    return Chart(name, title, caption, _tidied(page.getvalue(), name, title, caption))


def _tidied(text: str, name: str, title: str, caption: str) -> str:
    """matplotlib's SVG as we keep it: named, described, with ids that no other chart has, and nothing idle."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(_printable(text))
    used = set(re.findall(r"#([\w.-]+)", " ".join(v for e in root.iter() for v in e.attrib.values())))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style") or (len(child), child.tag) == (
                0,
                f"{{{SVG}}}defs",
            ):
                parent.remove(child)
    for element in root.iter():
        if element.tag != f"{{{SVG}}}text":
            element.text = None
        element.tail = None
        attributes = element.attrib
        if attributes.get("id") not in used:
            attributes.pop("id", None)
        for key, value in attributes.items():
            attributes[key] = _tidied_value(key, value, name)
    width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    root.attrib.clear()
    root.attrib |= {
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": f"{width:g}pt",
        "height": f"{height:g}pt",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-caption",
        "data-made-by": MADE_BY,
        "style": f"{FONT}; stroke-linejoin: round; stroke-linecap: butt",
    }
    told = ElementTree.Element(f"{{{SVG}}}title", {"id": f"{name}-title"})
    told.text = _printable(title)
    more = ElementTree.Element(f"{{{SVG}}}desc", {"id": f"{name}-caption"})
    more.text = _printable(caption)
    paper = ElementTree.Element(f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "fill": PAPER})
    root[:0] = [told, more, paper]
    return ElementTree.tostring(root, "unicode") + "\n"


def _tidied_value(key: str, value: str, name: str) -> str:
    match key:
        case "id":
            return f"{name}-{value}"
        case "d":
            return " ".join(value.split())
        case "style":
            value = re.sub(r"font: (\S+) [^;]+", r"font-size: \1", value)  # before 3.11
            value = re.sub(r" ?font-family: [^;]+;?", "", value)
    return re.sub(r"(^|url\()#", rf"\1#{name}-", value) if key.endswith("href") or "url(#" in value else value


def _printable(text: str) -> str:
    """Text without the control characters that XML can't hold."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]", "�", text)


# ── what charts share ────────────────────────────────────────────────────────────────────────────


def short(name: str) -> str:
    """A name that fits a chart."""
    name = _printable(name)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def room_for(names: Sequence[str]) -> float:
    """How wide the longest of these names is, about."""
    return LETTER * max((len(short(name)) for name in names), default=0) + 0.12


def log_ticks(values: Sequence[float]) -> list[float]:
    """Round numbers on a log axis around these values, a handful of them."""
    if max(values) < 4 * min(values):
        values = [min(values) / 2, max(values) * 2]  # so that small differences look small
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    every = 1 + (high - low) // 7
    for steps in ((1,), (1, 3), (1, 2, 5)):
        ticks = [step * 10.0**power for power in range(low, high + 1, every) for step in steps]
        inside = [tick for tick in ticks if min(values) / 1.5 <= tick <= max(values) * 1.5]
        if len(inside) > 2:
            return inside
    return inside or [min(values)]


def log_axis(axes: Axes, values: Sequence[float], *, which: str = "y", seconds: bool = False, unit: str = "") -> None:
    """A log axis around these values, with round numbers on it."""
    ticks = log_ticks(values)
    plain = [f"{tick:,.0f}{unit}" if tick >= 1 else f"{tick:g}{unit}" for tick in ticks]
    shown = [shown_seconds(tick) for tick in ticks] if seconds else plain
    low, high = min(*values, ticks[0]) / 1.3, max(*values, ticks[-1]) * 1.3
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"set_{which}lim")(low, high)
    getattr(axes, f"set_{which}ticks")(ticks, shown)
    getattr(axes, f"{which}axis").minorticks_off()
    axes.grid(axis=which)  # type: ignore[arg-type]


def shown_seconds(seconds: float) -> str:
    """A round time with its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.999 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds / 1e-9:,.3g} ns"


class Legend:
    """Handles with their labels in as many columns as fit below a chart."""

    LINE = 0.2

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = [_printable(label) for label in labels]
        wide = max((LETTER * len(label) + 0.55 for label in self.labels), default=1.0)
        self.columns = max(1, min(len(self.labels), int((WIDTH - 0.2) / wide)))

    @property
    def height(self) -> float:
        return self.LINE * math.ceil(len(self.labels) / self.columns) + 0.1

    def draw(self, figure: Figure, handles: Sequence[Any]) -> None:
        figure.legend(handles, self.labels, loc="lower center", ncols=self.columns, handlelength=2.6, borderaxespad=0.2)


def heat_map(
    axes: Axes,
    values: Sequence[Sequence[float | None]],
    shown: Sequence[Sequence[str]],
    low: float,
    high: float,
    colours: Colours | None = None,
) -> None:
    """Cells in colours from low to high with what they say printed on them; hatched where there is no value."""
    from matplotlib.patches import Rectangle

    size = 8.5 if len(values[0]) <= 12 else 7
    for row, cells in enumerate(values):
        for column, value in enumerate(cells):
            box: dict[str, Any] = {"fill": False, "hatch": "////", "linewidth": 0}
            ink = INK
            if value is not None:
                share = (value - low) / (high - low) if high > low else 0.5
                colour, ink = coloured(min(1.0, max(0.0, share)), colours or DARKER)
                box = {"facecolor": colour, "edgecolor": "none"}
            axes.add_patch(Rectangle((column + 0.02, row + 0.02), 0.96, 0.96, **box))
            if value is not None:
                text = shown[row][column]
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=ink, fontsize=size)
    axes.set_xlim(0, len(values[0]))
    axes.set_ylim(len(values), 0)
    for spine in axes.spines.values():
        spine.set_visible(False)


Colours = tuple[tuple[int, int, int], ...]
DARKER: Colours = ((0xE6, 0xEF, 0xFA), (0x12, 0x4A, 0x85))
DIVERGING: Colours = ((0xB0, 0x43, 0x0E), (0xF3, 0xF2, 0xEE), (0x12, 0x4A, 0x85))  # about a middle that is neither


def coloured(share: float, colours: Colours) -> tuple[str, str]:
    """The colour of a cell, and of the text on it: black or white, whichever stands out more (4.5 to 1 or better)."""
    place = share * (len(colours) - 1)
    first = min(int(place), len(colours) - 2)
    levels = [round(a + (place - first) * (b - a)) for a, b in zip(colours[first], colours[first + 1], strict=True)]
    colour = f"#{levels[0]:02x}{levels[1]:02x}{levels[2]:02x}"
    return colour, "#000000" if luminance(colour) > 0.179 else "#ffffff"


def luminance(colour: str) -> float:
    """How bright `#rrggbb` is to the eye, from 0 to 1, as WCAG defines it."""
    levels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return sum(weight * level for weight, level in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
