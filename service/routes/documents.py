"""The OpenAPI document of this very process, and a page to read it on that needs nothing from anywhere else."""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files

from service.auth.guards import Access
from service.http.operation import Answer, Call, operation

_get = partial(operation, "GET", tag="document", access=Access.anyone)


@_get("/openapi.json", summary="This document")
async def get_document(call: Call) -> Answer[bytes]:
    """The OpenAPI document."""
    return Answer(call.request.app.state.document)


@_get("/openapi.yaml", summary="This document, as YAML", media=("application/yaml",))
async def get_document_as_yaml(call: Call) -> Answer[bytes]:
    """The OpenAPI document for tools that ask for YAML 1.2, which includes JSON."""
    return Answer(call.request.app.state.document)


@_get("/docs", summary="A page to read this document on", media=("text/html",))
async def get_page(call: Call) -> Answer[bytes]:
    """A page that shows the document."""
    del call
    return Answer(_page())


@_get("/", summary="To the documentation", media=("text/plain",), status=307, location=True)
async def get_front(call: Call) -> Answer[bytes]:
    """Leads to the documentation."""
    del call
    return Answer(b"/docs\n", location="/docs")


@cache
def _page() -> bytes:
    return (files("service.openapi") / "page.html").read_bytes()
