"""Registers: what ptxas prints, by kernel, and the compiler that is not there, fails or hangs."""

import os
from pathlib import Path

import pytest

from cudalint.advise import registers
from cudalint.advise.card import Card, LaunchCard, Registers
from cudalint.advise.residency import residency
from cudalint.gpu.devices import device
from cudalint.settings.config import Settings
from tests.support.checkout import ROOT

_PRINTED = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN2ns3addIdLi4EEEvPT_i' for 'sm_90'
ptxas info    : Function properties for _ZN2ns3addIdLi4EEEvPT_i
    8 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compiling entry function '_ZN2ns3addIfLi3EEEvPT_i' for 'sm_90'
ptxas info    : Function properties for _ZN2ns3addIfLi3EEEvPT_i
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Used 255 registers, used 0 barriers
"""
_H200 = device("H200")


@pytest.mark.parametrize(
    ("symbol", "name", "arguments"),
    [
        ("plain", "plain", ""),
        ("_Z3addPfi", "add", ""),
        ("_ZL3addPf", "add", ""),
        ("_ZN2ns3locEPf", "loc", ""),
        ("_Z3addIfLi3EEvPT_", "add", "float, 3"),
        ("_ZN2ns5outer3addILin2ELb1EjEEvv", "add", "-2, 1, unsigned int"),
        ("_Z3addI6float4EvPT_", "add", "?"),
    ],
)
def test_mangled_names(symbol: str, name: str, arguments: str) -> None:
    assert registers.plain(symbol) == (name, arguments)


def test_what_ptxas_prints_is_read() -> None:
    assert registers.read(_PRINTED) == {
        ("add", "double, 4"): Registers(40, 40, 40),
        ("add", "float, 3"): Registers(8, 8, 0),
        ("plain", ""): Registers(255, 255, 0),
    }


def _row(instantiation: str) -> LaunchCard:
    shape = residency(_H200, 128, 1056, 0, None)
    return LaunchCard(
        instantiation, "launch", "a.cu", 3, (1056, 1, 1), (128, 1, 1), 0, 1056, 135168, shape, None
    )


def _card(name: str, *instantiations: str) -> Card:
    return Card(name, "a.cu", 1, None, (), tuple(map(_row, instantiations)), (), ())


def test_many_registers_limit_the_occupancy() -> None:
    """255 are given as 256: 8,192 for a warp, 2 warps in each of 4 partitions, 2 blocks of 4 warps."""
    found = registers.with_registers(_card("plain", ""), registers.read(_PRINTED), _H200)
    held = found.launches[0].residency
    assert found.registers == Registers(255, 255, 0) and held is not None
    assert (held.blocks, held.warps, held.limiters, held.registers) == (2, 8, ("registers",), 255)
    assert held.waves == pytest.approx(1056 / (2 * 132))


def test_each_instantiation_has_its_own_registers_and_one_that_is_not_known_the_most() -> None:
    card = _card("add", "float, 3", "double, 4", "int, 5")
    found = registers.with_registers(card, registers.read(_PRINTED), _H200)
    assert [row.residency.registers for row in found.launches if row.residency] == [8, 40, 40]
    assert found.registers == Registers(8, 40, 40)


def test_a_kernel_that_nvcc_drops_is_unknown() -> None:
    found = registers.with_registers(_card("other", ""), registers.read(_PRINTED), _H200)
    assert found.registers is None and "no code" in (found.registers_unknown or "")


def _compiler(folder: Path, script: str) -> str:
    """A program in the place of nvcc."""
    path = folder / "bin" / "nvcc"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_the_compiler_is_found_on_path_or_below_cuda_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _compiler(tmp_path, "exit 0")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    assert registers.compiler() is None
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert registers.compiler() == own
    monkeypatch.delenv("CUDA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert registers.compiler() == own


def test_a_compiler_is_asked_with_the_options_given(tmp_path: Path) -> None:
    nvcc = _compiler(tmp_path, f'echo "$@" > {tmp_path}/asked\ncat <<END\n{_PRINTED}END')
    settings = Settings(include_paths=("inc",), defines=("N=4",), std="c++17")
    found = registers.ask(nvcc, "a.cu", "sm_80", settings)
    assert found == registers.read(_PRINTED)
    asked = (tmp_path / "asked").read_text().split()
    assert {"-arch=sm_80", "-Iinc", "-DN=4", "-std=c++17", "a.cu", os.devnull} <= set(asked)


@pytest.mark.parametrize(
    ("script", "says"), [("exit 2", "does not compile"), ("exec sleep 20", "took longer than 0.2 s")]
)
def test_a_compiler_that_fails_or_hangs_is_a_reason(tmp_path: Path, script: str, says: str) -> None:
    found = registers.ask(_compiler(tmp_path, script), "a.cu", "sm_90", Settings(), seconds=0.2)
    assert isinstance(found, str) and says in found


@pytest.mark.skipif(registers.compiler() is None, reason="no nvcc")
def test_nvcc_says_how_many_registers_the_example_takes() -> None:
    example = ROOT / "docs" / "advise_example.cu"
    found = registers.ask(registers.compiler() or "", str(example), "sm_90", Settings())
    assert isinstance(found, dict) and set(found) == {("rows", ""), ("scale", "")}
    assert all(1 <= one.least == one.most <= 255 and one.spilled == 0 for one in found.values())


def test_a_compiler_that_cannot_be_run_is_a_reason(tmp_path: Path) -> None:
    found = registers.ask(str(tmp_path / "none"), "a.cu", "sm_90", Settings())
    assert isinstance(found, str) and "cannot be run" in found
