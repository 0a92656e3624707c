"""The contract as a whole: what the document says is sent at the running service from all sides."""
