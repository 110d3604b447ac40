"""`python -m fecontact`."""

from fecontact.cli import main

if __name__ == "__main__":
    main()
