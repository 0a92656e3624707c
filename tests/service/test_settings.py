"""Settings: read from the environment, or refused by the name of the variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from service import settings as settings_module
from service.limits.limit_settings import LimitSettings
from service.settings import BadSetting, from_environment


def test_what_is_not_set_has_its_default() -> None:
    unset = {"DATABASE_URL": "postgresql://x"}
    empty = {"HOST": "", "PORT": "", "TABLELOG_COMPONENTS": "", "TABLELOG_ALLOWED_ORIGINS": ""}
    settings = from_environment(unset)
    assert settings == from_environment(unset | empty), "what is empty is not set"
    assert (settings.host, settings.port, settings.components, settings.allowed_origins) == (
        "127.0.0.1",
        8000,
        None,
        (),
    )


def test_what_is_set_is_taken() -> None:
    settings = from_environment(
        {
            "DATABASE_URL": "postgresql://x",
            "HOST": "0.0.0.0",  # noqa: S104 - a value to be read
            "PORT": "0",
            "TABLELOG_COMPONENTS": "sets",
            "TABLELOG_ALLOWED_ORIGINS": "https://a.example, https://b.example",
        }
    )
    assert (settings.port, settings.components) == (0, Path("sets"))
    assert settings.allowed_origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    "given,origin",
    [
        ("https://Example.org", "https://example.org"),
        ("HTTPS://example.org:443", "https://example.org"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("https://example.org:80", "https://example.org:80"),
    ],
)
def test_an_origin_is_taken_as_browsers_write_it(given: str, origin: str) -> None:
    settings = from_environment({"DATABASE_URL": "postgresql://x", "TABLELOG_ALLOWED_ORIGINS": f"{given}, {origin}"})
    assert settings.allowed_origins == (origin,)


@pytest.mark.parametrize(
    "given",
    [
        *("foo", "example.org", "https://", "https://example.org:", "*", "null", "https://*.example.org"),
        *("https://example.org/", "https://example.org/page", "https://example.org?x", "https://ada@example.org"),
        *("https://a.example https://b.example", "https://bücher.example"),
    ],
)
def test_what_is_no_origin_is_refused_by_name(given: str) -> None:
    with pytest.raises(BadSetting, match=r"^TABLELOG_ALLOWED_ORIGINS: .* is not an origin"):
        from_environment({"DATABASE_URL": "postgresql://x", "TABLELOG_ALLOWED_ORIGINS": f"https://a.example, {given}"})


@pytest.mark.parametrize("url", ["localhost", "mysql://x", "host=x dbname=y", "jdbc:postgresql://x"])
def test_what_is_no_address_of_a_database_is_refused_without_being_told(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^DATABASE_URL: ") as refused:
        from_environment({"DATABASE_URL": url})
    assert url not in str(refused.value)


def test_an_address_that_is_given_goes_before_the_variable() -> None:
    settings = from_environment({"DATABASE_URL": "postgresql://x"}, database_url="postgresql://y")
    assert settings.database_url == "postgresql://y"


@pytest.mark.parametrize("value", ["-1", "65536", "8e3", "８０", " 80", "eighty"])
def test_a_number_that_cannot_be_used_is_refused_by_name(value: str) -> None:
    with pytest.raises(BadSetting, match=r"^PORT: "):
        from_environment({"DATABASE_URL": "postgresql://x", "PORT": value})


def test_there_is_no_service_without_a_database() -> None:
    with pytest.raises(BadSetting, match=r"^DATABASE_URL: "):
        from_environment({})


def test_records_have_settings_of_their_own() -> None:
    unset, url = from_environment({"DATABASE_URL": "postgresql://x"}), {"DATABASE_URL": "postgresql://x"}
    assert (unset.game_events, unset.foreign_component_sets, unset.record_seconds) == (2_500, "refuse", 1)
    given = {"TABLELOG_GAME_EVENTS": "5000", "TABLELOG_FOREIGN_COMPONENT_SETS": "allow", "TABLELOG_RECORD_SECONDS": "4"}
    settings = from_environment(url | given)
    assert (settings.game_events, settings.foreign_component_sets, settings.record_seconds) == (5_000, "allow", 4)


@pytest.mark.parametrize(
    "name,value",
    [
        ("TABLELOG_GAME_EVENTS", "99"),
        ("TABLELOG_FOREIGN_COMPONENT_SETS", "yes"),
        ("TABLELOG_FOREIGN_COMPONENT_SETS", "Allow"),
        ("TABLELOG_RECORD_SECONDS", "0.5"),
    ],
)
def test_a_setting_of_records_that_cannot_be_used_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^{name}: "):
        from_environment({"DATABASE_URL": "postgresql://x", name: value})


def test_limits_and_trusted_proxies_are_read() -> None:
    given = {"TABLELOG_COMMANDS_PER_ACCOUNT": "7", "TABLELOG_TRUSTED_PROXIES": "10.0.0.0/8, ::1, unix"}
    settings = from_environment({"DATABASE_URL": "postgresql://x", **given})
    assert settings.limits == LimitSettings(commands_per_account=7)
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1", "unix")


@pytest.mark.parametrize("name,value", [("TRUSTED_PROXIES", "proxy.example"), ("SOCKETS_PER_ACCOUNT", "0")])
def test_a_limit_or_proxy_that_is_none_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^TABLELOG_{name}: "):
        from_environment({"DATABASE_URL": "postgresql://x", f"TABLELOG_{name}": value})


@pytest.mark.parametrize(
    "url",
    ["redis://localhost", "redis://:secret@cache.example:6380/2", "rediss://ada:secret@[::1]:6379", "redis://h:1/"],
)
def test_the_url_of_a_redis_is_read(url: str) -> None:
    assert from_environment({"DATABASE_URL": "postgresql://x", "TABLELOG_REDIS_URL": url}).redis_url == url
    assert from_environment({"DATABASE_URL": "postgresql://x"}).redis_url is None


@pytest.mark.parametrize(
    "url",
    [
        *("localhost:6379", "http://:secret@cache", "redis://", "redis://:secret@cache:99999", "redis://cache/zero"),
        "redis://:secret@cache?socket_timeout=60",
    ],
)
def test_what_is_not_the_url_of_a_redis_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^TABLELOG_REDIS_URL: expected redis://") as refused:
        from_environment({"DATABASE_URL": "postgresql://x", "TABLELOG_REDIS_URL": url})
    assert not any(part in str(refused.value) for part in ("secret", "cache"))


def _nothing_installed(name: str) -> None:
    """Find no package."""
    del name


def test_a_redis_without_its_client_installed_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "find_spec", _nothing_installed)
    with pytest.raises(BadSetting, match=r"^TABLELOG_REDIS_URL: .*pip install 'tablelog\[redis\]'$"):
        from_environment({"DATABASE_URL": "postgresql://x", "TABLELOG_REDIS_URL": "redis://localhost"})
