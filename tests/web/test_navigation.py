"""The pages: the folder is the list, of addresses and of links."""

import re
from importlib import import_module
from pkgutil import iter_modules

from starlette.routing import Route
from starlette.testclient import TestClient

from tournament.web import pages
from tournament.web.app import make_app

PAGES = [import_module(f"{pages.__name__}.{module.name}") for module in iter_modules(pages.__path__)]


def test_every_page_of_the_folder_has_its_addresses_in_the_application():
    known = {route.path for route in make_app().routes if isinstance(route, Route)}
    assert PAGES
    for page in PAGES:
        assert page.ROUTES, page
        assert {route.path for route in page.ROUTES} <= known


def test_the_links_at_the_top_are_those_that_the_pages_declare_in_their_order():
    client = TestClient(make_app(), base_url="http://localhost")
    declared = sorted(page.NAVIGATION for page in PAGES if hasattr(page, "NAVIGATION"))
    top = re.search(r"<nav.*?</nav>", client.get("/compare").text, re.DOTALL)
    assert top is not None
    shown = re.findall(r'<a href="([^"]+)" (aria-current="page")?>([^<]+)</a>', top[0])
    assert [(address, label) for address, _, label in shown] == [(link.address, link.label) for link in declared]
    assert [label for _, current, label in shown if current] == ["Compare"]
