"""The flow for a new customer: an account and its first contact."""

from typing import Annotated

from aisha.application.flow.named import FlowStep
from aisha.application.flow.steps import reference_to
from aisha.application.tooling import tool
from aisha.application.tooling.arguments.parameters import Email, Phone, Text
from aisha.domain.json_values import without_none


@tool(
    module="accounts",
    examples=(
        "(create|add|set up|open) (an|a|the) [new] account [called|named|for] {company_name} with [the] [a] contact "
        "[person] [called|named] {contact_name} [email] [{email}]",
        "(create|add|set up|open) (an|a|the) [new] account [called|named|for] {company_name} and [a|the] contact "
        "[person] [called|named] {contact_name} [for it|there|at it|in it]",
        "(create|add|set up|open) (an|a|the) [new] account [called|named|for] {company_name} and (add|create) "
        "{contact_name} as [a|the|its] contact",
    ),
)
def account_with_contact(
    company_name: Annotated[Text, "Name of the company"],
    contact_name: Annotated[Text, "Full name of the person"],
    industry: Annotated[Text | None, "Industry of the company"] = None,
    email: Annotated[Email | None, "Email address of the person"] = None,
    phone: Annotated[Phone | None, "Phone number of the person"] = None,
    job_title: Annotated[Text | None, "Job title of the person"] = None,
) -> list[FlowStep]:
    """Create an account and a contact in it."""
    person = without_none(name=contact_name, email=email, phone=phone, job_title=job_title)
    # By reference: the account has no id before its step has run.
    return [
        FlowStep(tool="create_account", arguments=without_none(company_name=company_name, industry=industry)),
        FlowStep(tool="create_contact", arguments={**person, "account_id": reference_to(1, "record.id")}),
    ]
