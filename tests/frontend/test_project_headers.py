"""Headers that no include path finds are found by name in the project's tree."""

from pathlib import Path

import pytest

from cudalint.buildfiles.project import top
from cudalint.frontend import LoadOptions, load
from cudalint.frontend.project_headers import directory_for, headers, template_of

KERNEL = "__global__ void scale(float* data) { data[threadIdx.x] *= FACTOR; }\n"


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def test_a_header_is_found_by_its_whole_name_anywhere_in_the_project(project: Path):
    write(
        project,
        libs__deep__api__maths__factor_DOT_h="#define FACTOR 2.0f\n",
        libs__deep__other__factor_DOT_h="#error the name does not end so\n",
        app__gpu__scale_DOT_cu=f'#include "maths/factor.h"\n{KERNEL}',
    )
    unit = load(str(project / "app/gpu/scale.cu"), LoadOptions())
    assert unit.problems == ()
    assert [f.name for f in unit.functions.values() if f.kernel] == ["scale"]


def test_of_several_headers_the_nearest_counts_then_the_least_deep(project: Path):
    write(
        project,
        one__deep__include__lib__a_DOT_h="",
        one__include__lib__a_DOT_h="",
        two__include__lib__a_DOT_h="",
    )
    assert directory_for("lib/a.h", str(project / "two/src"), str(project)) == str(project / "two/include")
    assert directory_for("lib/a.h", str(project / "one/src"), str(project)) == str(project / "one/include")
    assert directory_for("lib/a.h", str(project / "three"), str(project)) == str(project / "one/include")
    assert directory_for("b/a.h", str(project / "three"), str(project)) is None


def test_a_step_up_in_the_name_is_kept(project: Path):
    write(project, lib__common__a_DOT_h="")
    folder = directory_for("../common/a.h", str(project / "app"), str(project))
    assert folder is not None
    assert (Path(folder) / "../common/a.h").resolve() == project / "lib/common/a.h"
    assert directory_for("../../a.h", str(project / "app"), str(project)) is None


def test_the_top_is_the_repository_or_the_topmost_build_file(tmp_path: Path):
    write(tmp_path, project__CMakeLists_DOT_txt="", project__src__CMakeLists_DOT_txt="", loose__a_DOT_cu="")
    write(tmp_path, other__CMakeLists_DOT_txt="", other__src___DOT_git__HEAD="")
    assert top(str(tmp_path / "project/src")) == str(tmp_path / "project")
    assert top(str(tmp_path / "loose")) is None
    assert top(str(tmp_path / "other/src")) == str(tmp_path / "other/src")


def test_hidden_folders_and_other_files_are_not_listed(project: Path):
    write(project, _DOT_cache__x_DOT_h="", a__x_DOT_h="", a__x_DOT_cu="")
    assert headers(str(project)) == {"x.h": ("a/x.h",)}


def test_a_header_that_the_build_makes_is_its_template_with_unknown_values(project: Path):
    write(
        project,
        cmake__config_DOT_h_DOT_in="#cmakedefine HAVE_TEXTURES\n#cmakedefine01 WIDE\n"
        '#define FACTOR @FACTOR@\n#define NAME "v${VERSION}"\n',
        src__scale_DOT_cu='#include "lib/config.h"\n#ifdef HAVE_TEXTURES\nint extra;\n#endif\n'
        f"const char *name = NAME;\nint wide = WIDE;\n{KERNEL}",
    )
    unit = load(str(project / "src/scale.cu"), LoadOptions())
    assert (unit.problems, unit.errors) == ((), ())
    assert [(region.line, region.macros) for region in unit.undecided] == [(2, ("HAVE_TEXTURES",))]


def test_of_several_templates_the_one_with_the_folders_of_the_include_counts(project: Path):
    write(
        project,
        one__lib__version_DOT_h_DOT_in="",
        two__version_DOT_hpp_DOT_cmake_DOT_in="",
        v_DOT_h_DOT_in="",
    )
    assert template_of("lib/version.h", str(project / "two"), str(project)) == str(
        project / "one/lib/version.h.in"
    )
    assert template_of("version.hpp", str(project), str(project)) == str(project / "two/version.hpp.cmake.in")
    assert template_of("version.hh", str(project), str(project)) is None


def test_a_header_that_cmake_copies_from_another_place(project: Path):
    (project / "cmake").mkdir(parents=True)
    (project / "cmake/compilers.h").write_text("")
    (project / "cmake/parts.cmake").write_text(
        "configure_file(\n  ${Demo_SOURCE_DIR}/cmake/compilers.h\n"
        "  ${Demo_BINARY_DIR}/include/demo/compilers.h)\n"
    )
    made = template_of("demo/compilers.h", str(project), str(project))
    assert made == str(project / "cmake/compilers.h")
    assert template_of("other/compilers.h", str(project), str(project)) is None


def test_of_a_header_without_cuda_only_what_is_called_is_lowered(tmp_path: Path) -> None:
    (tmp_path / "text.h").write_text(
        "inline int width(int n) { return 4 * n; }\ninline int used(int n) { return width(n); }\n"
        "inline int unused(int n) { return n; }\nstruct Log { void say() { } };\n"
    )
    (tmp_path / "copies.h").write_text("inline void copied(void *p) { cudaMemset(p, 0, 4); }\n")
    (tmp_path / "a.cu").write_text(
        '#include "text.h"\n#include "copies.h"\nint alone() { return 1; }\nint run() { return used(2); }\n'
    )
    unit = load(str(tmp_path / "a.cu"), LoadOptions())
    assert {f.name for f in unit.functions.values()} == {"width", "used", "copied", "alone", "run"}
