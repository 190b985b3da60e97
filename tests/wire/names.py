"""A DNS server on loopback for one test: it knows what the test wrote down, and no other name."""

import socket
import threading
from collections.abc import Mapping

import dns.asyncresolver
import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class Names:
    """`records` are answers by name and kind, such as `("_imaps._tcp.example.org", "SRV"): "0 1 993 mail.example.org."`.

    A silent one takes questions and never answers.
    """

    def __init__(self, records: Mapping[tuple[str, str], str] | None = None, is_silent: bool = False) -> None:
        self.records, self.is_silent = dict(records or {}), is_silent
        self.asked: list[str] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def resolver(self) -> dns.asyncresolver.Resolver:
        found = dns.asyncresolver.Resolver(configure=False)
        address, found.port = self._socket.getsockname()
        found.nameservers = [address]
        return found

    def close(self) -> None:
        """Let the thread end: an empty datagram wakes it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knock:
            knock.sendto(b"", self._socket.getsockname())
        self._thread.join(5)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            asked, sender = self._socket.recvfrom(4096)
            if not asked:
                return
            query = dns.message.from_wire(asked)
            name, kind = query.question[0].name, dns.rdatatype.to_text(query.question[0].rdtype)
            text = name.to_text(omit_final_dot=True)
            self.asked.append(f"{text} {kind}")
            if self.is_silent:
                continue
            answer = dns.message.make_response(query)
            answer.flags |= dns.flags.RA
            if found := self.records.get((text, kind)):
                answer.answer.append(dns.rrset.from_text(name, 60, "IN", kind, *found.split("\n")))
            elif not any(each == text or each.endswith(f".{text}") for each, _ in self.records):
                answer.set_rcode(dns.rcode.NXDOMAIN)
            self._socket.sendto(answer.to_wire(), sender)
