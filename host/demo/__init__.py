"""The demo: a small mail server on loopback, robots that play by mail, and the same daemon as in production."""
