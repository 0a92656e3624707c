"""The live feed: each event of a game is pushed to its watchers. `PROTOCOL.md` is the page for authors of clients.

frames     what is sent, both ways
encodings  how a frame is written: for a websocket, or as a server-sent event
session    what is done with each frame of a client
sse        the answer to a GET that goes on for as long as its client watches
outbox     what waits for one reader: bounded
hub        all rooms and subscriptions of a process, woken by the listener
games/     watched games: events with their frames, rooms, subscriptions
feeds/     the feeds of the lobby and of accounts: one reader of the whole log for all who follow
"""
