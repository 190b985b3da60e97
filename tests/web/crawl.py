"""Every page that can be reached by links from the first one."""

import re
from urllib.parse import urljoin, urlsplit

from httpx import Response
from starlette.testclient import TestClient

LINK = re.compile(r'(?:href|src)="([^"]+)"')


def crawl(client: TestClient, start: str = "/") -> dict[str, Response]:
    """Answers by path; links to elsewhere, and to mail programs, are passed over."""
    here = str(client.base_url).rstrip("/")
    todo, found = [start], dict[str, Response]()
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found[path] = answer = client.get(path, follow_redirects=False)
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for href in LINK.findall(answer.text):
            whole = urljoin(f"{here}{path}", href)
            if whole.startswith(f"{here}/"):
                todo.append(urlsplit(whole).path)
    return found
