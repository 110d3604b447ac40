"""What pyproject.toml cannot say: studies and gallery of the clone travel in the package."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["fecontact", "fecontact.*"]),
        "fecontact.studies",
        "fecontact.gallery",
    ],
    package_dir={"fecontact.studies": "studies", "fecontact.gallery": "docs/gallery"},
)
