"""The live feed: each event is pushed to whoever watches its game. `PROTOCOL.md` is the page for authors of clients.

wire       the frames, both ways
form       how a frame is written: for a websocket, or as a server-sent event
closing    why a socket is closed, and whether to come back
protocol   uvicorn's websocket protocol, with what a feed needs beyond ASGI
outbox     what waits for one reader: bounded
step       an event with its frames, encoded once per class of viewer
replay     steps from the log, for resuming
room       a watched game: moves on by the log, hands steps to its audiences
event_stream  the answer to a GET that goes on for as long as its client watches
watcher    one connection and its subscriptions
follow     a watcher's place in a feed: the lobby, or what concerns its own account
notices    what feeds tell of an event
feed_reader  the one reader of the whole log, for all who follow feeds
feeds      all follows of a process: where each begins, and how it catches up
hub        all rooms and watchers of a process, woken by the listener
talk       what is done with each frame of a client
"""
