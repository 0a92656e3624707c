"""The OpenAPI document of this very process, and a page to read it on that needs nothing from anywhere else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from service.auth.guards import Access
from service.http.handler import handlers
from service.http.operation import Answer, Call, Operation

YAML = "application/yaml"
HTML = "text/html"


async def get_document(call: Call) -> Answer:
    """The OpenAPI document."""
    return Answer(call.document)


async def get_document_as_yaml(call: Call) -> Answer:
    """The OpenAPI document for tools that ask for YAML 1.2, of which JSON is a part."""
    return Answer(call.document)


async def get_page(call: Call) -> Answer:
    """A page that shows the document."""
    del call
    return Answer(_page())


async def get_front(call: Call) -> Answer:
    """Leads to the documentation."""
    del call
    return Answer(b"/docs\n", status=307, headers=[("Location", "/docs")])


@cache
def _page() -> bytes:
    return (files("service.openapi") / "page.html").read_bytes()


OPERATIONS = (
    Operation(
        method="GET",
        path="/openapi.json",
        name="get_document",
        tag="document",
        summary="This document",
        run=get_document,
        access=Access.anyone,
        answer=dict,
    ),
    Operation(
        method="GET",
        path="/openapi.yaml",
        name="get_document_as_yaml",
        tag="document",
        summary="This document, as YAML",
        run=get_document_as_yaml,
        access=Access.anyone,
        media=(YAML,),
        answer=dict,
    ),
    Operation(
        method="GET",
        path="/docs",
        name="get_page",
        tag="document",
        summary="A page to read this document on",
        run=get_page,
        access=Access.anyone,
        media=(HTML,),
        answer=None,
    ),
    Operation(
        method="GET",
        path="/",
        name="get_front",
        tag="document",
        summary="To the documentation",
        run=get_front,
        access=Access.anyone,
        media=("text/plain",),
        status=307,
        answer=None,
        located=True,
    ),
)
HANDLERS = handlers(OPERATIONS)
