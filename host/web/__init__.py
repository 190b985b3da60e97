"""Edge: HTTP on loopback. In: the pages that others made, as ASGI. Out: answers, within limits."""
