"""The composition root: creates the adapters, the tools and the application as the settings say.

`Services` has one attribute per shared object, which is created at its first use. Heavy packages that not every
function needs (the AWS SDK, a model provider's SDK, the tools) are imported inside the function that uses them. Such
imports are allowed in this package only.
"""

from aisha.bootstrap.services import Services, default_services

__all__ = ["Services", "default_services"]
