"""Ports on loopback for servers that tests start, and start again."""

import socket

_RESERVED: list[socket.socket] = []
"""Bound, and not listening: the system gives their ports to nobody who asks for any port."""


def free_port() -> int:
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, each another. They stay ours: who listens there sets SO_REUSEADDR, as servers do."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        each.bind(("127.0.0.1", 0))
    _RESERVED.extend(sockets)
    return [each.getsockname()[1] for each in sockets]
