"""torch's operator database, as calls and as one-operator programs."""
