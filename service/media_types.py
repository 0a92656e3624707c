"""The media types of answers."""

from __future__ import annotations

JSON = "application/json"
NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"
