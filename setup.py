"""What pyproject.toml cannot say: the studies at the top of the clone travel in the package."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["fecontact", "fecontact.*"]), "fecontact.studies"],
    package_dir={"fecontact.studies": "studies"},
)
