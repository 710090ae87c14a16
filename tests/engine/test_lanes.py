"""Lanes: where they pay. That they find what integers find is in tests/games/test_features.py."""

import pytest
from llvmlite import binding
from numba import config

from tournament.engine.jit import lanes


@pytest.mark.parametrize(
    ("features", "pay"),
    [({"sse2": True, "avx2": True}, True), ({"sse2": True, "avx2": False}, False), ({"neon": True}, True)],
    ids=["x86 with AVX2", "an older x86", "another processor"],
)
def test_lanes_pay_where_each_is_shifted_by_a_distance_of_its_own(monkeypatch, features, pay):
    monkeypatch.setattr(config, "CPU_NAME", None)
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    assert lanes._pay() is pay


def test_what_is_compiled_for_another_processor_has_lanes(monkeypatch):
    monkeypatch.setattr(config, "CPU_NAME", "haswell")
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: {"avx2": False})
    assert lanes._pay()
