"""Reading from a connection that stays paused for as long as what came already is not parsed."""

from __future__ import annotations

from uvicorn.protocols.http.flow_control import FlowControl


class Flow(FlowControl):
    """uvicorn's flow control, which resumes reading whenever the application receives, with a hold that it respects."""

    held = False

    def hold(self) -> None:
        """Read nothing until `release`."""
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        """Read on, if reading was held."""
        if self.held:
            self.held = False
            self.resume_reading()

    def resume_reading(self) -> None:
        """Read on, unless reading is held."""
        if not self.held:
            super().resume_reading()
