"""Contact on arrays: surfaces, pairing, the local contact problem, methods, status and history."""

# The study comes first, whoever is imported first: its tables [contact.NAME] are made of the
# methods in here, and they of its base.
import fecontact.study  # noqa: F401
