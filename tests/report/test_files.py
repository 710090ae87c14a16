"""Files that belong together: whole, all or none of them, and nobody else's in between."""

import os

import pytest

from tournament.errors import StoreError
from tournament.report.files import together


def write_both(folder, text):
    with together() as part_of:
        for name in ("a.md", "b.html"):
            with part_of(folder / name) as file:
                file.write(text)


def texts(folder):
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_two_that_write_at_once_do_not_mix(tmp_path):
    with together() as part_of:
        with part_of(tmp_path / "a.md") as file:
            file.write("mine")
            if not (other := os.fork()):
                try:
                    write_both(tmp_path, "theirs")
                finally:
                    os._exit(0)
            os.waitpid(other, 0)
            assert texts(tmp_path) | {"a.md": "theirs", "b.html": "theirs"} == texts(tmp_path)
        assert (tmp_path / "a.md").read_text() == "theirs"
    assert texts(tmp_path) == {"a.md": "mine", "b.html": "theirs"}


def test_who_can_not_write_the_last_leaves_the_first_as_it_was(tmp_path):
    write_both(tmp_path, "before")

    def write_until_the_disk_is_full():
        with together() as part_of:
            with part_of(tmp_path / "a.md") as file:
                file.write("after")
            with part_of(tmp_path / "b.html") as file:
                file.write("aft")
                raise OSError(28, "no room")

    with pytest.raises(StoreError, match=r"b\.html: can't be written \(no room\)"):
        write_until_the_disk_is_full()
    assert texts(tmp_path) == {"a.md": "before", "b.html": "before"}


def test_a_folder_in_the_place_of_the_last_leaves_the_first_as_it_was(tmp_path):
    (tmp_path / "a.md").write_text("before")
    (tmp_path / "b.html").mkdir()
    with pytest.raises(StoreError, match=r"b\.html: can't be written"):
        write_both(tmp_path, "after")
    assert (tmp_path / "a.md").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "b.html"]


def test_a_part_of_a_process_that_was_killed_is_removed_and_that_of_a_living_one_is_not(tmp_path):
    if not (killed := os.fork()):
        os._exit(0)
    os.waitpid(killed, 0)
    for number in (killed, os.getppid()):
        (tmp_path / f"a.md.{number}.part").touch()
    write_both(tmp_path, "whole")
    assert sorted(texts(tmp_path)) == ["a.md", f"a.md.{os.getppid()}.part", "b.html"]
