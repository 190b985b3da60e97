"""What docs/operations.md says of the way to PostgreSQL: pgloader takes every row along, and nothing else changes."""

import re
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import func, select

from host.store.database import Store, open_store
from host.store.schema import Base, Letter
from tests.store.server import server
from tests.turn.desk import Desk

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
ANN, BOB = "ann@example.net", "bob@example.net"

pytestmark = [pytest.mark.postgresql, pytest.mark.pgloader, pytest.mark.storm]


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.reading() as session:
        tables = Base.metadata.sorted_tables
        return {each.name: sorted(map(tuple, session.execute(select(each))), key=repr) for each in tables}


def test_every_row_goes_along_and_the_next_has_a_number_of_its_own(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin()
    desk.answer(ANN, "cut 5, pick 2, keep")
    desk.answer(BOB, "host are we in time?\nGrüße ♥")
    desk.store.engine.dispose()
    url = server().fresh()
    open_store(url).close()
    block = re.search(r" {8}LOAD DATABASE\n(?: {8}.+\n)+", OPERATIONS.read_text("utf-8"))
    assert block
    orders = block[0].replace("sqlite://podium.db", f"sqlite://{desk.store.file}")
    orders = orders.replace("postgresql://podium@db.example.org/podium", url.replace("+psycopg", ""))
    (tmp_path / "to-postgresql.load").write_text(orders)
    said = subprocess.run(["pgloader", "to-postgresql.load"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Total import time          ✓" in said.stdout
    new = open_store(url)
    assert rows(new) == rows(open_store(f"sqlite:///{desk.store.file}"))
    with new.transaction() as session:
        highest = session.scalars(select(func.max(Letter.id))).one()
        assert session.scalars(select(func.nextval("letters_id_seq"))).one() == highest + 1
