"""The demo: a mail server on loopback, robots that play by mail, an inbox in the browser, and the daemon of production."""
