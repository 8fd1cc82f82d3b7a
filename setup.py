"""The packages, found by looking: a new group of rules needs no line here. All else is in pyproject.toml.

`rules/` and `fixtures/` stand beside `cudalint/` in the checkout and install below it (of fixtures only the
pairs that `cudalint validate` measures), which no setting of pyproject.toml can both map and discover.
"""

from setuptools import find_packages, setup

setup(
    package_dir={"cudalint.rules": "rules", "cudalint.fixtures": "fixtures"},
    packages=[
        *find_packages(include=["cudalint", "cudalint.*"]),
        "cudalint.rules",
        "cudalint.fixtures",
        *(f"cudalint.rules.{name}" for name in find_packages("rules")),
    ],
)
