"""Problem documents of the local server itself, in the shape of the API's own."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


def problem(request: Request, status: int, code: str, message: str, **headers: str) -> Response:
    body = {"type": f"urn:aisha:problem:{code}", "title": code.replace("_", " ").title(), "status": status}
    members = {"code": code, "message": message, "retryable": False, "request_id": request.state.request_id}
    members |= {"detail": message, "error": {"message": message, "type": "invalid_request_error", "code": code}}
    return JSONResponse(body | members, status, headers, media_type="application/problem+json")
