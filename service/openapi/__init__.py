"""The OpenAPI document: written from the operations and the types themselves, so that it cannot say anything else."""
