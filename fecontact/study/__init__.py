"""Study files: typed models, units, defaults, validation."""

from fecontact.study.errors import InputError, RunError, StudyError
from fecontact.study.load import AnyStudy, load, study_from_dict

__all__ = ["AnyStudy", "InputError", "RunError", "StudyError", "load", "study_from_dict"]
