"""Entries on disk: read back by type, dropped when they are many, never half written."""

import os
import threading
from pathlib import Path

import msgspec
import numpy as np
import pytest

from cudalint.engine import store
from cudalint.engine.store import Store, digest
from cudalint.errors import UsageError

KEY = digest(b"key")


class Two(msgspec.Struct):
    name: str
    number: int


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    assert kept.read(KEY, Two) is None
    kept.write(KEY, Two("a", 1))
    assert kept.read(KEY, Two) == Two("a", 1)
    kept.write(KEY, Two("b", 2))
    assert kept.read(KEY, Two) == Two("b", 2)
    assert kept.read(digest(b"other"), Two) is None


def test_what_has_no_form_is_not_kept_and_no_error(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    kept.write(KEY, {"a": np.float64(0.5), "b": np.arange(2), "c": np.int64(3)})
    assert kept.read(KEY, dict) == {"a": 0.5, "b": [0, 1], "c": 3}
    for value in (object(), 2**70):
        kept.write(KEY, value)
    assert kept.read(KEY, dict) == {"a": 0.5, "b": [0, 1], "c": 3}


@pytest.mark.parametrize("size", [0, 1, 19, 20, 21])
def test_part_of_an_entry_is_none(tmp_path: Path, size: int) -> None:
    kept = Store(str(tmp_path))
    kept.write(KEY, Two("a", 1))
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:size])
    assert kept.read(KEY, Two) is None


def test_another_type_is_none(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    kept.write(KEY, ["a", 1])
    assert kept.read(KEY, Two) is None
    deep = b"\x91" * 100_000 + b"\xc0"
    (file,) = files(tmp_path)
    file.write_bytes(digest(KEY, deep) + deep)
    assert kept.read(KEY, Two) is None


def test_a_folder_or_a_link_in_its_place_is_none(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    kept.write(KEY, Two("a", 1))
    (file,) = files(tmp_path)
    file.unlink()
    file.mkdir()
    assert kept.read(KEY, Two) is None
    kept.write(KEY, Two("a", 1))  # cannot be, and is no error
    file.rmdir()
    file.symlink_to("/dev/zero")
    assert kept.read(KEY, Two) is None


def test_the_oldest_go(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    keys = [digest(bytes([number])) for number in range(10)]
    for age, key in enumerate(keys):
        kept.write(key, "x" * 1000)
        for file in files(tmp_path):
            if file.name == key.hex()[2:]:
                os.utime(file, (10_000 - age, 10_000 - age))
    kept.prune(most=20_000)
    assert len(files(tmp_path)) == 10
    kept.prune(most=8_000)
    assert [kept.read(key, str) is not None for key in keys] == [True] * 5 + [False] * 5


def test_what_a_killed_run_left_goes_in_time(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    kept.write(KEY, "x")
    old, new = (files(tmp_path)[0].with_name(f"{name}.part") for name in ("old", "new"))
    old.write_text("half")
    os.utime(old, (1, 1))
    new.write_text("half")
    kept.prune()
    assert not old.exists()
    assert new.exists()
    assert kept.read(KEY, str) == "x"


def test_many_write_at_once(tmp_path: Path) -> None:
    kept = Store(str(tmp_path))
    texts = [str(number) * 5000 for number in range(4)]
    read: list[str | None] = []

    def work(text: str) -> None:
        for _ in range(30):
            kept.write(KEY, text)
            read.append(kept.read(KEY, str))

    threads = [threading.Thread(target=work, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(read) <= set(texts)
    assert len(files(tmp_path)) == 1


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(store.sys, "platform", "linux")
    monkeypatch.delenv("CUDALINT_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.usual_folder() == "/home/me/.cache/cudalint"
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert store.usual_folder() == "/caches/cudalint"
    monkeypatch.setenv("CUDALINT_CACHE_DIR", str(tmp_path))
    assert store.usual_folder() == str(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be used"):
        store.opened(str(tmp_path / "file" / "below"))
