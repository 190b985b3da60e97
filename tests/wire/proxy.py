"""A relay on loopback that a test can break while it runs: between the daemon and its servers, line by line."""

import contextlib
import re
import select
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from typing import Literal

from tests.ports import free_port

Side = Literal["client", "server"]
Action = Literal["cut", "swallow", "answer"]


@dataclass
class Fault:
    """What befalls the first `times` lines of `side` that match `pattern`.

    `cut` ends the connection, `swallow` lets nothing more through on it in either direction, `answer` gives `words` to
    the client in the server's place. The line itself is passed on first where `passes`. With `after` the fault waits
    for so many more bytes of that side.
    """

    pattern: str
    action: Action = "cut"
    side: Side = "client"
    times: int = 1
    passes: bool = False
    words: str = ""
    after: int = 0
    struck: threading.Event = field(default_factory=threading.Event)

    def matches(self, line: bytes) -> bool:
        return self.times > 0 and re.search(self.pattern.encode(), line, re.IGNORECASE) is not None


class Proxy:
    """Listens on `port` and passes on to the port `behind`.

    To be set at any time: `refuses` (nobody listens), `is_silent` (accepts and says nothing), `faults`, `delay` (seconds
    before each piece), `trickle` (seconds between single bytes; 0: none).
    """

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.is_silent = False
        self.delay = 0.0
        self.trickle = 0.0
        self.connections = 0
        self._faults: list[Fault] = []
        self._guard = threading.Lock()
        self._open: set[_Relay] = set()
        self._ended = False
        self.port = free_port()
        self._listener: socket.socket | None = _listen(self.port)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def fault(self, pattern: str, action: Action = "cut", **more: object) -> Fault:
        """Arm one more fault."""
        made = Fault(pattern, action, **more)  # type: ignore[arg-type]
        with self._guard:
            self._faults.append(made)
        return made

    def heal(self) -> None:
        """Disarm everything; connections that hang are cut."""
        with self._guard:
            self._faults.clear()
        self.delay = self.trickle = 0.0
        if self.is_silent:
            self.is_silent = False
            self.cut()
        self.refuse(False)

    def cut(self) -> None:
        """End every open connection."""
        for relay in self._snapshot():
            relay.cut()

    def reset(self) -> None:
        """End every open connection with a RST, what is under way lost."""
        for relay in self._snapshot():
            relay.cut(is_reset=True)

    def refuse(self, refuses: bool = True) -> None:
        """Stop listening on the port, or begin again."""
        if refuses and self._listener is not None:
            listener, self._listener = self._listener, None
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        elif not refuses and self._listener is None:
            self._listener = _listen(self.port)
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self) -> None:
        self._ended = True
        self.refuse()
        self.cut()

    def _snapshot(self) -> list["_Relay"]:
        with self._guard:
            return list(self._open)

    def _accept(self, listener: socket.socket) -> None:
        while not self._ended:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            relay = _Relay(self, client)
            with self._guard:
                self._open.add(relay)
            threading.Thread(target=relay.run, daemon=True).start()

    def strike(self, side: Side, line: bytes) -> Fault | None:
        """The armed fault that this line sets off."""
        with self._guard:
            for each in self._faults:
                if each.side == side and each.matches(line):
                    each.times -= 1
                    return each
        return None

    def has_faults(self, side: Side) -> bool:
        with self._guard:
            return any(each.side == side and each.times > 0 for each in self._faults)

    def forget(self, relay: "_Relay") -> None:
        with self._guard:
            self._open.discard(relay)


class _Relay:
    """One connection and its way on."""

    def __init__(self, proxy: Proxy, client: socket.socket) -> None:
        self.proxy, self.client = proxy, client
        self.server: socket.socket | None = None
        self._held: dict[Side, bytes] = {"client": b"", "server": b""}
        self._countdown: dict[Side, tuple[int, Fault] | None] = {"client": None, "server": None}
        self._is_silent = proxy.is_silent
        self._ended = False

    def run(self) -> None:
        try:
            if not self._is_silent:
                self.server = socket.create_connection(("127.0.0.1", self.proxy.behind), timeout=10)
            while not self._ended:
                self._turn()
        except OSError:
            pass
        finally:
            for each in (self.client, self.server):
                if each is not None:
                    each.close()
            self.proxy.forget(self)

    def cut(self, is_reset: bool = False) -> None:
        """End both ways; the relay's own thread closes the sockets."""
        self._ended = True
        if is_reset:
            with contextlib.suppress(OSError):
                self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        for each in (self.client, self.server):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def _turn(self) -> None:
        """Pass on what either side said within the next moment."""
        both = [each for each in (self.client, self.server) if each is not None]
        readable, _, _ = select.select(both, [], [], 0.05)
        for each in readable:
            piece = each.recv(65536)
            if not piece:
                self._ended = True
                return
            self._take("client" if each is self.client else "server", piece)

    def _take(self, side: Side, piece: bytes) -> None:
        if self._is_silent:
            return
        waiting = self._countdown[side]
        if waiting is not None:
            left, due = waiting
            self._pass_on(side, piece[:left])
            self._countdown[side] = (left - len(piece), due) if left > len(piece) else None
            if left <= len(piece):
                self._befall(due)
            return
        held = self._held[side] + piece
        if not self.proxy.has_faults(side):
            self._held[side] = b""
            self._pass_on(side, held)
            return
        self._by_line(side, held)

    def _by_line(self, side: Side, held: bytes) -> None:
        """Whole lines go on one after the other; half a line waits for its end."""
        while (end := held.find(b"\n") + 1) > 0 and not self._ended and not self._is_silent:
            line, held = held[:end], held[end:]
            struck = self.proxy.strike(side, line)
            if struck is None or struck.passes or struck.after:
                self._pass_on(side, line)
            if struck is not None and struck.after:
                self._countdown[side] = (struck.after, struck)
                self._held[side] = b""
                self._take(side, held)
                return
            if struck is not None:
                self._befall(struck)
        self._held[side] = held

    def _befall(self, fault: Fault) -> None:
        if fault.action == "cut":
            self.cut()
        elif fault.action == "swallow":
            self._is_silent = True
        else:
            self.client.sendall(fault.words.encode() + b"\r\n")
        fault.struck.set()

    def _pass_on(self, side: Side, piece: bytes) -> None:
        target = self.server if side == "client" else self.client
        if target is None or not piece:
            return
        if self.proxy.delay:
            time.sleep(self.proxy.delay)
        if not self.proxy.trickle:
            target.sendall(piece)
            return
        for each in piece:
            target.sendall(bytes([each]))
            time.sleep(self.proxy.trickle)


def _listen(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    return listener
