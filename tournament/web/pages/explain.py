"""Explain: a search, a node of its tree with its children, and the same search by other algorithms."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tournament.games.connect4 import told_position, undecided
from tournament.web.evaluators import source_hash
from tournament.web.pages.play import USUAL_MACHINE, algorithms, level
from tournament.web.query import OF_RULES, OF_SEARCH, Query, rules_told, settings_told
from tournament.web.site import Site, posted, query, site
from tournament.web.streams import Question
from tournament.web.thinker_pool import asked


async def page(request: Request) -> Response:
    """A position with the tree of one search of it."""
    given, here = query(request), site(request)
    given.only([*OF_RULES, *OF_SEARCH, "position", "moves", "evaluator", "source", "back"])
    rules = given.rules()
    position = undecided(given.position(rules))
    settings = given.settings(rules)
    evaluator = here.known(given.text("evaluator", USUAL_MACHINE))
    search = {
        **rules_told(rules),
        "position": given.text("position") or given.moves() or "empty",
        "evaluator": evaluator,
        **settings_told(settings, rules),
    }
    return here.render(
        "explain.html",
        here="play",
        title=f"Explain: {evaluator}, {settings.level}",
        search=search,
        algorithms=algorithms(rules),
        rules=rules,
        position=position,
        state=told_position(position),
        evaluator=evaluator,
        level=level(settings),
        back=given.text("back") if given.text("back").startswith("/t/") else "",
        edited=is_edited(here, evaluator, given.text("source")),
    )


def is_edited(here: Site, evaluator: str, source: str) -> bool:
    """Whether the evaluator's file has another text than the one whose hash begins like this."""
    now = source_hash(here.entries()[evaluator])
    return bool(source) and now is not None and not now.startswith(source)


async def search(request: Request) -> Response:
    """What a search of any position finds and takes."""
    given, here = await posted(request), site(request)
    question = _question("search", given, here) | {"tree": given.switch("tree")}
    return JSONResponse(await here.think(request, question, given.within()))


async def tree(request: Request) -> Response:
    """A node of the tree with its children, and the nodes above it."""
    given, here = await posted(request), site(request)
    question = _question("branch", given, here) | {"path": given.path()}
    return JSONResponse(await here.think(request, question))


def _question(do: str, given: Query, here: Site) -> Question:
    rules = given.rules()
    position = undecided(given.position(rules))
    settings = given.settings(rules)
    return asked(do, position, here.known(given.text("evaluator", USUAL_MACHINE)), settings=settings.non_defaults())


ROUTES = [
    Route("/explain", page),
    Route("/api/search", search, methods=["POST"]),
    Route("/api/tree", tree, methods=["POST"]),
]
