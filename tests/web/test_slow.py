"""Clients that dawdle, over a real socket: they are told or hung up on, and others are answered meanwhile."""

import socket
import time
from collections.abc import Iterator

import pytest

from host.web import guard, server
from host.web.app import web_app
from host.web.server import WebServer
from tests.web.browser import free_port
from tests.web.house import House


@pytest.fixture
def port(house: House) -> Iterator[int]:
    found = free_port()
    data = house.web.services.config.model_dump() | {"web": {"listen": f"127.0.0.1:{found}"}}
    object.__setattr__(house.web.services, "config", type(house.web.services.config).model_validate(data))
    served = WebServer(("127.0.0.1", found), web_app(house.web), places=4)
    yield found
    served.stop()


def head(port: int, *more: str) -> bytes:
    lines = ("POST /desk/login/ HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", *more)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def everything(client: socket.socket) -> bytes:
    client.settimeout(20)
    found = b""
    while more := client.recv(65536):
        found += more
    return found


def is_answered(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(f"GET /desk/login/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        return b" 200 " in everything(client)[:20]


def test_a_form_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(guard, "FORM_SECONDS", 0.4)
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(head(port, "Content-Length: 1000", "Content-Type: application/x-www-form-urlencoded"))
        for _ in range(3):
            client.sendall(b"a")
            time.sleep(0.05)
        assert is_answered(port)
        told = everything(client)
    assert b" 408 " in told[:20]
    assert b"took too long" in told


def test_a_body_without_end_is_cut_off_at_its_bound(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(head(port, "Transfer-Encoding: chunked"))
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        try:
            for _ in range(100):
                client.sendall(chunk)
            told = everything(client)
        except OSError:
            told = b" 413 "
    assert b" 413 " in told[:400]


def test_all_places_taken_are_free_again_soon(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.5)
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
    deadline = time.monotonic() + 10
    answered = False
    while not answered and time.monotonic() < deadline:
        try:
            answered = is_answered(port)
        except OSError:
            time.sleep(0.1)
    for each in silent:
        each.close()
    assert answered
