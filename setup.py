"""The packages, found by looking: a new group of rules needs no line here. All else is in pyproject.toml.

`rules/` stands beside `cudalint/` in the checkout and installs below it, which no setting of pyproject.toml
can both map and discover.
"""

from setuptools import find_packages, setup

setup(
    package_dir={"cudalint.rules": "rules"},
    packages=[
        *find_packages(include=["cudalint", "cudalint.*"]),
        "cudalint.rules",
        *(f"cudalint.rules.{name}" for name in find_packages("rules")),
    ],
)
