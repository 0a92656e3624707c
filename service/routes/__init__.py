"""The operations of the contract, one file per resource, in the order of the document."""
