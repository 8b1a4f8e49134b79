"""Numbers of a CRM that no field can have are refused at once, however they are written."""

import time
from decimal import InvalidOperation

import pytest

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.values import read_value

TYPES = ("integer", "number", "decimal", "cents")


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("raw", ["1e3000000", "-1E+99999999", "1e31", float("inf"), "NaN", "9" * 5000, "many"])
def test_what_is_no_number_of_a_record_is_refused(kind: str, raw: object) -> None:
    start = time.process_time()
    with pytest.raises((ValueError, InvalidOperation)):
        read_value(FieldMap.model_validate({"at": "amount", "type": kind}), raw)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("kind", "value"), [("integer", 12000), ("number", 12000.0), ("decimal", "12000.00"), ("cents", "120.00")]
)
@pytest.mark.parametrize("raw", ["12000", 12000, "1.2e4", 12000.0])
def test_the_same_number_is_read_however_it_is_written(kind: str, value: object, raw: object) -> None:
    assert read_value(FieldMap.model_validate({"at": "amount", "type": kind}), raw) == value
