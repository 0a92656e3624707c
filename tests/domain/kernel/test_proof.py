"""What pins a history: vectors made by another implementation, and that nothing can be changed unnoticed."""

from __future__ import annotations

from domain.kernel import proof

SEED = bytes(range(32))


def test_the_commitment_is_as_written_down() -> None:
    expected = "60429ed86d5ba593f9499ac104d0b43bd751ca148a31108408a771ad12cd7d5a"
    assert proof.commitment("0b5e", SEED) == expected


def test_salts_are_as_written_down() -> None:
    assert proof.salt(SEED, 1).hex() == "91d78c604abd67b10ed6ede2dca4eb1204d4bc38d89b2e3a35ceeeb4809e7f8f"
    assert proof.salt(SEED, 12).hex() == "5b4600d98a32d505c5e49949c619ab66509af98735b0084eb621b2c057393234"


def test_the_key_of_the_draws_is_as_written_down() -> None:
    nothing = "07281318ec3b40bda515eae9ea38a3ef2b438e633baf893663b2e1442e4132dd"
    something = "f5131b7d92ef53002efced34554a77b4936bea6097fd4f476f3eeff95ac00888"
    assert proof.draw_key(SEED, ("", ""), 1).hex() == nothing
    assert proof.draw_key(SEED, ("würfel", ""), 1).hex() == something


def test_a_chain_of_two_is_as_written_down() -> None:
    first = proof.link(proof.NO_HASH, proof.salt(SEED, 1), b"header 1", b'{"type":"seat_left"}')
    second = proof.link(first, proof.salt(SEED, 2), b"", b"{}")
    assert first.hex() == "a78280fcf371a04bc8b07f776e7e5fdb5e797161f0157a91dedcbe0457e4644b"
    assert second.hex() == "cc46451a6e0097f320db239a51597af41bb9daa06c2ccea8a22bf431b589b02e"


def test_bytes_cannot_wander_from_one_part_to_its_neighbour() -> None:
    assert proof.link(proof.NO_HASH, b"s", b"ab", b"c") != proof.link(proof.NO_HASH, b"s", b"a", b"bc")
    assert proof.draw_key(SEED, ("ab", "c"), 1) != proof.draw_key(SEED, ("a", "bc"), 1)
    assert proof.draw_key(SEED, ("a", ""), 1) != proof.draw_key(SEED, ("", "a"), 1)
    assert proof.draw_key(SEED, ("a",), 1) != proof.draw_key(SEED, ("a", ""), 1)
    assert proof.commitment("a", b"bc") != proof.commitment("ab", b"c")


def test_every_input_of_a_hash_matters() -> None:
    hashes = {
        proof.link(proof.NO_HASH, b"s", b"h", b"d"),
        proof.link(b"\x01" * 32, b"s", b"h", b"d"),
        proof.link(proof.NO_HASH, b"t", b"h", b"d"),
        proof.link(proof.NO_HASH, b"s", b"i", b"d"),
        proof.link(proof.NO_HASH, b"s", b"h", b"e"),
    }
    assert len(hashes) == 5


def test_a_seed_has_256_bits() -> None:
    assert proof.SEED_BYTES * 8 == 256
    assert len(proof.NO_HASH) == 32


def test_a_header_is_as_written_down() -> None:
    at = "2026-01-02T03:04:05.000060+00:00"
    header = proof.header("g1", 2, event_type="seat_left", actor=None, rules_version="toy/1", recorded_at=at)
    assert header == b'["g1",2,"seat_left",null,"toy/1","2026-01-02T03:04:05.000060+00:00"]'
