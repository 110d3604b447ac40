"""Contact mechanics on plain arrays: surfaces, detection, local problem, methods and history."""

# The study must be imported first: its tables [contact.NAME] are built from the methods of this
# package, and these from the base of the study models.
import fecontact.study  # noqa: F401
