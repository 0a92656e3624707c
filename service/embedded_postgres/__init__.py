"""The bundled PostgreSQL, for users without their own."""
