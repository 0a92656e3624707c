"""The operations of the contract, one file per resource; each exports `OPERATIONS` and `HANDLERS`."""
