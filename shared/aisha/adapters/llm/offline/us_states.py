"""The states of the United States, as people write them and as addresses have them."""

from itertools import batched

STATES = {
    name.replace("_", " "): code
    for name, code in batched(
        (
            "alabama AL alaska AK arizona AZ arkansas AR california CA colorado CO connecticut CT delaware DE florida "
            "FL georgia GA hawaii HI idaho ID illinois IL indiana IN iowa IA kansas KS kentucky KY louisiana LA maine "
            "ME maryland MD massachusetts MA michigan MI minnesota MN mississippi MS missouri MO montana MT nebraska "
            "NE nevada NV new_hampshire NH new_jersey NJ new_mexico NM new_york NY north_carolina NC north_dakota ND "
            "ohio OH oklahoma OK oregon OR pennsylvania PA rhode_island RI south_carolina SC south_dakota SD "
            "tennessee TN texas TX utah UT vermont VT virginia VA washington WA west_virginia WV wisconsin WI wyoming "
            "WY"
        ).split(),
        2,
    )
}
"""Codes of the United States' states, as addresses have them."""


def state_code(name: str) -> str:
    """`NY` for New York; what is no state of the United States stays as it is."""
    return STATES.get(name.lower(), name)
