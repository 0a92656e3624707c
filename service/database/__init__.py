"""PostgreSQL as the service uses it: connections, migrations, and which errors mean that it is away."""
