"""Close codes: one table, in the code and on the page for authors of clients."""

from importlib.resources import files

from service.app import OPERATIONS
from service.openapi.document import document
from service.transport.close_codes import CLOSES, as_markdown
from tests.toy import TITLE as TOY


def test_the_page_for_authors_of_clients_holds_the_table_of_the_code() -> None:
    page = (files("service.live") / "PROTOCOL.md").read_text(encoding="utf-8")
    assert page.endswith(f"\n\n{as_markdown()}\n")


def test_the_served_document_holds_the_table_of_the_code() -> None:
    (tag,) = (tag for tag in document({"toy": TOY}, OPERATIONS)["tags"] if tag["name"] == "live")
    assert as_markdown() in tag["description"]


def test_no_two_reasons_share_a_code() -> None:
    assert len({close.code for close in CLOSES}) == len(CLOSES)


def test_the_number_of_a_code_of_our_own_says_whether_to_come_back() -> None:
    for close in CLOSES:
        if close.code >= 4000:
            assert close.retry == (close.code < 4400), close


def test_a_reason_fits_into_a_close_frame() -> None:
    assert all(len(close.name.encode()) <= 123 for close in CLOSES)
