"""Connections: HTTP and websocket protocols of uvicorn, with bounds on what each peer may make the process hold."""
