"""An operation of the HTTP contract: how a request is read by it, and answered.

An operation is a value (`operation.py`): method, path, types of query and body, answers, refusals. Requests are read by
that value and the OpenAPI document is written from it (`service/openapi`), so the two cannot part.
"""
