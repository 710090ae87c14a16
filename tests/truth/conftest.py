"""What was solved in a test is not kept for the user."""

import pytest

from tournament.truth import oracle


@pytest.fixture(autouse=True)
def solved_folder(tmp_path, monkeypatch):
    """Where this test keeps what was solved."""
    folder = tmp_path / "solved"
    monkeypatch.setattr(oracle, "folder", lambda: folder)
    return folder
