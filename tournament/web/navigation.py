"""The links at the top of every page."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """A link, in the order of its number; `name` is what a page calls itself where it stands below this link."""

    number: int
    name: str
    address: str
    label: str
