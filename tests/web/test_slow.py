"""Clients that dawdle or attack, over a real socket: they are told or hung up on, and others are answered meanwhile."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from http import HTTPStatus

import pytest

from host.turn import login
from host.web import guard, server
from host.web.app import web_app
from host.web.health import Answer, sentence
from host.web.public import paths
from host.web.server import WebServer
from tests.patience import SECONDS, wait_until
from tests.turn.desk import OPERATOR
from tests.web.browser import free_port
from tests.web.house import House

PLACES = 4


@pytest.fixture
def port(house: House) -> Iterator[int]:
    found = free_port()
    data = house.web.services.config.model_dump() | {"web": {"listen": f"127.0.0.1:{found}"}}
    object.__setattr__(house.web.services, "config", type(house.web.services.config).model_validate(data))
    served = WebServer(("127.0.0.1", found), web_app(house.web), places=PLACES)
    yield found
    served.stop()


def head(port: int, *more: str) -> bytes:
    lines = ("POST /desk/login/ HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", *more)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def everything(client: socket.socket) -> bytes:
    client.settimeout(SECONDS)
    found = b""
    while more := client.recv(65536):
        found += more
    return found


def asked(port: int, path: str = "/", *more: str) -> bytes:
    lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *more)
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return everything(client)


def is_answered(port: int, *more: str) -> bool:
    return asked(port, "/", *more).startswith(b"HTTP/1.1 200 ")


def login_form(port: int, address: str, length: int = 0) -> bytes:
    body = f"address={address}".encode()
    kind = "Content-Type: application/x-www-form-urlencoded"
    return head(port, kind, f"Content-Length: {length or len(body)}") + body


def test_a_form_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(guard, "FORM_SECONDS", 0.4)
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(login_form(port, "a", length=1000))
        assert is_answered(port)
        told = everything(client)
    assert b" 408 " in told[:20]
    assert b"took too long" in told


def test_a_body_in_pieces_is_refused_before_they_are_read(port: int) -> None:
    pieces = b"1\r\nx\r\n" * 5000
    with contextlib.ExitStack() as held:
        clients = [held.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(PLACES - 1)]
        for client in clients:
            client.sendall(head(port, "Transfer-Encoding: chunked"))
            assert b" 411 " in everything(client)[:20]
            with contextlib.suppress(OSError):
                client.sendall(pieces)
        assert is_answered(port)


def test_silent_clients_make_room_for_who_asks(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 600.0)
    with contextlib.ExitStack() as held:
        for _ in range(60):
            held.enter_context(socket.create_connection(("127.0.0.1", port)))
        for _ in range(PLACES + 1):
            assert is_answered(port)


def test_forms_that_do_not_come_make_room_for_who_asks(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(guard, "FORM_SECONDS", 600.0)
    with contextlib.ExitStack() as held:
        for _ in range(20):
            client = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(login_form(port, "a", length=1000))
        for _ in range(PLACES + 1):
            assert is_answered(port)


def test_who_is_not_logged_in_sends_no_large_form(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(login_form(port, "a", length=guard.LARGEST_FORM))
        with contextlib.suppress(OSError):
            client.sendall(b"&" * (guard.STRANGERS_FORM + 1 - len("address=a")))
        told = everything(client)
    assert b" 413 " in told[:20]
    assert b"not logged in" in told


def test_an_address_has_so_many_requests_under_way(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr(guard, "AN_ADDRESS", 2)
    monkeypatch.setattr(guard, "FORM_SECONDS", 600.0)
    theirs, ours = "X-Forwarded-For: 8.8.8.8", "X-Forwarded-For: 1.1.1.1"
    with contextlib.ExitStack() as held:
        for _ in range(2):
            client = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(head(port, theirs, "Content-Length: 1000"))
        wait_until(lambda: not is_answered(port, theirs), "both to be under way")
        assert b" 429 " in asked(port, "/", theirs)[:20]
        assert is_answered(port, ours)
        assert is_answered(port)


def test_letters_to_log_in_hold_up_no_page(monkeypatch: pytest.MonkeyPatch, house: House, port: int) -> None:
    writing, may_go_on = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        writing.set()
        assert may_go_on.wait(2 * SECONDS)

    monkeypatch.setattr(login, "mail_link", hang)
    try:
        for _ in range(2 * PLACES):
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(login_form(port, OPERATOR))
                assert b" 200 " in everything(client)[:20]
        assert writing.wait(SECONDS)
        assert is_answered(port)
    finally:
        may_go_on.set()


def test_pages_that_take_long_hold_up_no_answer_about_the_daemon(
    monkeypatch: pytest.MonkeyPatch, house: House, port: int
) -> None:
    asked_for, may_go_on = threading.Semaphore(0), threading.Event()

    def hang(*_: object) -> Answer:
        asked_for.release()
        assert may_go_on.wait(2 * SECONDS)
        return Answer("text/plain", b"")

    monkeypatch.setattr(paths, "document_at", hang)
    app = web_app(house.web, lambda _: sentence(HTTPStatus.OK, "alive"))
    other = free_port()
    served = WebServer(("127.0.0.1", other), app, places=4 * guard.PAGES_AT_ONCE)
    try:
        with contextlib.ExitStack() as held:
            for _ in range(2 * guard.PAGES_AT_ONCE):
                client = held.enter_context(socket.create_connection(("127.0.0.1", other)))
                client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            for _ in range(guard.PAGES_AT_ONCE):
                assert asked_for.acquire(timeout=SECONDS)
            with socket.create_connection(("127.0.0.1", other)) as client:
                client.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                assert everything(client).endswith(b"alive\n")
    finally:
        may_go_on.set()
        served.stop()
