"""The store against a dict: any order of puts, gets, reopenings, damage and trims."""

from __future__ import annotations

import os
import shutil
import tempfile
from itertools import count
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.builders.segments import sha

from lumpyard.disk import appending
from lumpyard.store import Ask, CookedRecord, KeptProduct, Kind, Store
from lumpyard.store import catalog as catalog_module
from lumpyard.store import writer as writer_module

datas = st.one_of(st.binary(max_size=40), st.integers(0, 200_000).map(bytes))
keys = st.sampled_from([bytes([number]) * 32 for number in range(6)])


def cooked_record(answer: int) -> CookedRecord:
    return CookedRecord(
        (Ask("exists", "x", str(answer)),), (KeptProduct(None, sha(b""), answer, None, None),)
    )


class Machine(RuleBasedStateMachine):
    """Two stores in one folder, as two processes would have them. `lost` is what damage or a trim may have taken."""

    def __init__(self) -> None:
        super().__init__()
        self.saved = (writer_module.SEGMENT_LIMIT, catalog_module.WORTH_WRITING, catalog_module.MAX_OPEN)
        self.random_mark = appending.random_mark

    @initialize(limit=st.sampled_from([300, 3000, 1 << 28]), worth=st.sampled_from([1, 5, 64]))
    def start(self, limit: int, worth: int) -> None:
        writer_module.SEGMENT_LIMIT, catalog_module.WORTH_WRITING, catalog_module.MAX_OPEN = limit, worth, 2
        marks = count(1)
        appending.random_mark = lambda: sha(next(marks).to_bytes(4, "little"))[
            :8
        ]  # the same in each run of an example
        self.parent = tempfile.mkdtemp()
        self.folder = f"{self.parent}/store"
        self.warnings: list[str] = []
        self.stores = [Store(self.folder, self.warnings.append) for _ in range(2)]
        self.model: dict[tuple[Kind, bytes], Any] = {}
        self.lost: set[tuple[Kind, bytes]] = set()

    def put(self, which: int, kind: Kind, key: bytes, value: Any) -> None:
        store = self.stores[which]
        if kind == Kind.RAW:
            store.put_raw(key, value)
        else:
            store.put_encoded([(key, value)])
        self.model[kind, key] = value

    def get(self, store: Store, kind: Kind, key: bytes) -> Any:
        reads = {
            Kind.RAW: store.raw,
            Kind.BLOCK: store.block,
            Kind.SIZE: store.compressed_size,
            Kind.COOKED: store.cooked,
        }
        return reads[kind](key)

    def check(self, store: Store, kind: Kind, key: bytes, *, may_lag: bool) -> bool:
        """Whether a record is found; what is found must be right."""
        found, right = self.get(store, kind, key), self.model[kind, key]
        if kind == Kind.COOKED:
            assert all(record in right for record in found)
            assert len(found) == len(set(found))
            complete = len(found) == len(right)
        elif kind == Kind.SIZE and (Kind.BLOCK, key) in self.model:
            complete = found in (right, len(self.model[Kind.BLOCK, key]))
            assert complete or found is None
        else:
            complete = found == right
            assert complete or found is None
        assert complete or may_lag or (kind, key) in self.lost
        return complete

    @rule(which=st.integers(0, 1), data=datas)
    def put_raw(self, which: int, data: bytes) -> None:
        self.put(which, Kind.RAW, sha(data), data)

    @rule(which=st.integers(0, 1), key=keys)
    def put_block(self, which: int, key: bytes) -> None:
        """One key always stands for one block."""
        self.put(which, Kind.BLOCK, key, b"block " + key * key[0])

    @rule(which=st.integers(0, 1), key=keys)
    def put_size(self, which: int, key: bytes) -> None:
        self.put(which, Kind.SIZE, key, 1000 + key[0])

    @rule(which=st.integers(0, 1), blocks=st.sets(keys), sizes=st.sets(keys))
    def put_encoded(self, which: int, blocks: set[bytes], sizes: set[bytes]) -> None:
        """Some at once."""
        found: list[tuple[bytes, bytes | int]] = [(key, b"block " + key * key[0]) for key in sorted(blocks)]
        found += [(key, 1000 + key[0]) for key in sorted(sizes)]
        self.stores[which].put_encoded(found)
        for key, value in found:
            self.model[Kind.SIZE if isinstance(value, int) else Kind.BLOCK, key] = value

    @rule(which=st.integers(0, 1), key=keys, answer=st.integers(0, 3))
    def put_cooked(self, which: int, key: bytes, answer: int) -> None:
        self.stores[which].put_cooked(key, cooked_record(answer))
        self.model.setdefault((Kind.COOKED, key), set()).add(cooked_record(answer))

    @rule(which=st.integers(0, 1))
    def get_all(self, which: int) -> None:
        """What is lost can be made again, and is there from then on."""
        store = self.stores[which]
        store.refresh()
        for kind, key in list(self.model):
            if not self.check(store, kind, key, may_lag=False) and kind in (Kind.RAW, Kind.BLOCK):
                self.put(which, kind, key, self.model[kind, key])
                assert self.check(store, kind, key, may_lag=False)

    @rule(which=st.integers(0, 1))
    def get_without_looking(self, which: int) -> None:
        """What another process appended since may be missed, and is never wrong."""
        for kind, key in self.model:
            self.check(self.stores[which], kind, key, may_lag=True)

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = Store(self.folder, self.warnings.append)

    @rule(which=st.integers(0, 1))
    def kill(self, which: int) -> None:
        """All that a killed process leaves undone is the close: its files are let go of."""
        self.stores[which]._keeper.drop()
        self.stores[which] = Store(self.folder, self.warnings.append)

    @rule(which=st.integers(0, 1))
    def sync(self, which: int) -> None:
        self.stores[which].sync()

    @rule(content=st.sampled_from([None, b"", b"garbage" * 50]))
    def spoil_index(self, content: bytes | None) -> None:
        path = f"{self.folder}/index-1"
        if os.path.exists(path):
            os.unlink(path)
            if content is not None:
                with open(path, "wb") as file:
                    file.write(content)

    def segments(self) -> list[str]:
        names = sorted(os.listdir(self.folder)) if os.path.exists(self.folder) else []
        return [f"{self.folder}/{name}" for name in names if name.endswith(".seg")]

    @rule(place=st.integers(0, 10**6))
    def flip_a_byte(self, place: int) -> None:
        for path in self.segments()[:1]:
            at = place % max(os.path.getsize(path), 1)
            if at < 32:  # while its header is damaged under a writer's hands, all that is put is lost
                for store in self.stores:
                    store._keeper.drop()
            with open(path, "r+b") as file:
                file.seek(at)
                byte = file.read(1)
                file.seek(at)
                file.write(bytes(255 - value for value in byte))
            self.lost |= set(self.model)

    @rule(place=st.integers(0, 10**6))
    def cut_a_tail(self, place: int) -> None:
        """As after a power cut: no process is alive that appends to it."""
        for store in self.stores:
            store._keeper.drop()
        for path in self.segments()[-1:]:
            os.truncate(path, place % (os.path.getsize(path) + 1))
            self.lost |= set(self.model)

    @rule(
        which=st.integers(0, 1),
        kept=st.sets(st.integers(0, 30)),
        room=st.sampled_from([0, 2000, 100_000, 10**9]),
    )
    def trim(self, which: int, kept: set[int], room: int) -> None:
        known = sorted(self.model)
        wanted = {known[number] for number in kept if number < len(known)}
        result = self.stores[which].trim(room, lambda kind, key: (kind, key) in wanted)
        assert result.size_after <= room or result.busy
        if result.dropped:
            assert room < 10**9
            self.lost |= set(self.model)

    @rule(which=st.integers(0, 1))
    def verify(self, which: int) -> None:
        for problem in self.stores[which].verify():
            assert self.lost
            assert problem.startswith(self.folder)

    @invariant()
    def nothing_is_said_but_damage(self) -> None:
        assert all(" record " in text and "damaged" in text for text in self.warnings)
        assert not self.warnings or self.lost

    def teardown(self) -> None:
        writer_module.SEGMENT_LIMIT, catalog_module.WORTH_WRITING, catalog_module.MAX_OPEN = self.saved
        appending.random_mark = self.random_mark
        for store in getattr(self, "stores", []):
            store.close()
        if hasattr(self, "parent"):
            shutil.rmtree(self.parent)


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
