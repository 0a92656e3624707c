"""Flow control of a connection whose reading stays paused while received data waits to be parsed."""

from __future__ import annotations

from uvicorn.protocols.http.flow_control import FlowControl


class Flow(FlowControl):
    """uvicorn's flow control resumes reading whenever the application receives; not so while reading is held."""

    held = False

    def hold(self) -> None:
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        if self.held:
            self.held = False
            self.resume_reading()

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()
