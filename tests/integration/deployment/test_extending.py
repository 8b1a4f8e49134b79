"""The recipes of README.md and docs/extending.md, copied out of the pages into a copy of the project, and mistakes."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from infra.local.server.server import ROOT

pytestmark = pytest.mark.slow
COPIED = ("shared", "functions", "infra", "knowledge", "tool_schemas", "tests", "pyproject.toml", "template.yaml")
RECIPE = re.compile(r"`((?:shared|knowledge|functions)/[\w/.-]+\.(?:py|md))`[^`]*?```\w+\n(.*?)```", re.DOTALL)


def recipes() -> dict[str, str]:
    """Return the files that the pages show whole, by path."""
    pages = [ROOT / "README.md", ROOT / "docs/extending.md"]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    files = {path: content for text in texts for path, content in RECIPE.findall(text)}
    json_files = {
        "tool_schemas/http/find_shipments.json": "A tool from an HTTP API",
        "tool_schemas/mcp/erp.json": "The tools of an MCP server",
    }
    for path, heading in json_files.items():
        shown = re.search(rf"## {heading}.*?```json\n(.*?)```", texts[1], re.DOTALL)
        assert shown is not None
        files[path] = shown[1]
    return files


RECIPES = recipes()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def placed(project: Path) -> Iterator[dict[str, str]]:
    """Return a dict whose files, by path, are written by `check` and taken away again."""
    files: dict[str, str] = {}
    yield files
    for path in files:
        (project / path).unlink(missing_ok=True)


def run(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": "shared:.", "PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        [sys.executable, *arguments], cwd=project, env=environment, check=False, capture_output=True, text=True
    )


def place(project: Path, files: Mapping[str, str]) -> None:
    for path, content in files.items():
        (project / path).parent.mkdir(exist_ok=True, parents=True)
        (project / path).write_text(content, encoding="utf-8")


def template_with_greeting() -> str:
    """Return the template with the resource of docs/extending.md."""
    (resource,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/extending.md").read_text("utf-8"), re.DOTALL)
    template = (ROOT / "template.yaml").read_text("utf-8")
    return template.replace("  HealthFunction:\n", f"{resource}\n  HealthFunction:\n")


def test_there_is_a_recipe_for_each_kind() -> None:
    folders = {path.rsplit("/", 1)[0].removeprefix("shared/aisha/") for path in RECIPES}
    assert folders == {
        "tools",
        "tool_schemas/http",
        "tool_schemas/mcp",
        "brainlets",
        "knowledge",
        "application/knowledge/data_sections",
        "application/scans",
        "application/prompt/sections",
        "adapters/llm/providers",
        "renderers",
        "functions/greeting",
    }


def test_all_recipes_work_and_are_clean(project: Path, placed: dict[str, str]) -> None:
    placed |= RECIPES
    place(project, placed | {"template.yaml": template_with_greeting()})
    loaded = run(project, "-m", "infra.extensions")
    shutil.copy(ROOT / "template.yaml", project / "template.yaml")
    assert loaded.returncode == 0, loaded.stderr
    python = [path for path in placed if path.endswith(".py")]
    for check in (["ruff", "check", *python], ["ruff", "format", "--check", *python], ["mypy", *python]):
        process = run(project, "-m", *check)
        assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize("path", RECIPES)
def test_each_recipe_is_found(project: Path, placed: dict[str, str], path: str) -> None:
    placed[path] = RECIPES[path]
    place(project, placed)
    shows = {
        "tools": "print('write_birthday_greeting' in names)",
        "tool_schemas/http": "print('find_shipments' in names)",
        "tool_schemas/mcp": "from aisha.adapters.http_tools.endpoint import read_files\n"
        "from aisha.adapters.mcp_client.definition import McpServerFile\n"
        "from aisha.bootstrap.tools import MCP_SERVERS; print(read_files(MCP_SERVERS, McpServerFile)[0].host)",
        "brainlets": "from aisha.application.turn.brainlets.registry import discover_brainlets as d\n"
        "print([one.name for one in d('aisha.brainlets').ordered].count('weather') == 1)",
        "knowledge/": "from aisha.application.knowledge.library import find; print(find('trade-shows').id)",
        "data_sections": "from aisha.application.knowledge.data_sections import data_sections\n"
        "print(data_sections()['MY_TEAM'].id)",
        "scans": "from aisha.application.scans.running import scans; print(scans()['leads_without_email'].spec.title)",
        "prompt": "from aisha.application.prompt import prompt_sections; print(dict(prompt_sections())['house_rules'])",
        "providers": "print(Services(settings=read_settings({'ACME_API_KEY': 'k'})).model_name == 'acme:acme-1')",
        "functions/greeting": "from infra.openapi import operations\n"
        "print([one.path for one in operations() if one.id == 'getGreeting'] == ['/api/ai/greeting'])",
        "renderers": "from aisha.renderers.plain_text import plain_text; print(plain_text([]) == '')",
    }
    code = next(
        code for name, code in shows.items() if name in path and not (name == "knowledge/" and "shared" in path)
    )
    prelude = "from aisha.bootstrap import Services\nfrom aisha.settings import read_settings\n"
    prelude += "names = [spec.name for spec in Services(settings=read_settings({})).tools.specs()]\n"
    process = run(project, "-c", prelude + code)
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() not in ("", "False", "None")


def test_the_recipe_of_an_endpoint_has_its_resource(project: Path, placed: dict[str, str]) -> None:
    placed["functions/greeting/handler.py"] = RECIPES["functions/greeting/handler.py"]
    place(project, placed | {"template.yaml": template_with_greeting()})
    code = (
        "from pathlib import Path\nfrom tempfile import TemporaryDirectory\nimport httpx\n"
        "from tests.fakes.local import local_server, token\n"
        "with TemporaryDirectory() as folder, local_server(Path(folder)) as server:\n"
        "    headers = {'authorization': f'Bearer {token(server, \"alice\")}'}\n"
        "    url = server.url + '/api/ai/greeting'\n"
        "    print(httpx.get(url).status_code, httpx.get(url, headers=headers).json()['text'])"
    )
    process = run(project, "-c", code)
    shutil.copy(ROOT / "template.yaml", project / "template.yaml")
    assert process.stdout.strip().endswith("401 Hello, Alice Carter."), process.stderr


GREETING = RECIPES["shared/aisha/tools/greetings.py"]
MCP_SERVER = RECIPES["tool_schemas/mcp/erp.json"]
MISTAKES = {
    "shared/aisha/brainlets/moods.py": (
        RECIPES["shared/aisha/brainlets/weather.py"].replace('"coach"', '"couch"').replace("def weather", "def moods"),
        r"moods\.py:\d+\) has unknown modes: couch; there are default",
    ),
    "shared/aisha/application/scans/no_when.py": (
        RECIPES["shared/aisha/application/scans/leads_without_email.py"].replace('    when="Once a week.",\n', ""),
        r"application/scans/no_when\.py:\d+: .*'when'",
    ),
    "shared/aisha/application/scans/unmarked_scan.py": (
        re.sub(r"@scan\((?s:.*?)\n\)\n", "", RECIPES["shared/aisha/application/scans/leads_without_email.py"]),
        r"scans/unmarked_scan\.py:\d+: leads_without_email\(\): it finds something, but is no scan: mark it with @scan",
    ),
    "shared/aisha/brainlets/unmarked_brainlet.py": (
        re.sub(r"@brainlet\(.*\)\n", "", RECIPES["shared/aisha/brainlets/weather.py"]),
        r"unmarked_brainlet\.py has no brainlet: mark a function with @brainlet",
    ),
    "shared/aisha/tools/module.py": (
        GREETING.replace('"contacts"', '"contact"'),
        r"tools/module\.py:\d+: .*module: there is no module 'contact': is it 'contacts'",
    ),
    "tool_schemas/http/module.json": (
        RECIPES["tool_schemas/http/find_shipments.json"].replace('"module": "accounts"', '"module": "account"'),
        r"module\.json: .*there is no module 'account': is it 'accounts'",
    ),
    "tool_schemas/http/plain.json": (
        RECIPES["tool_schemas/http/find_shipments.json"].replace("https://erp", "http://erp"),
        r"plain\.json: .*allow_private",
    ),
    "tool_schemas/mcp/no_hosts.json": (
        MCP_SERVER.replace('"allowed_hosts": ["erp.example.com"], ', ""),
        r"tool_schemas/mcp/no_hosts\.json: allowed_hosts is missing$",
    ),
    "tool_schemas/mcp/value.json": (
        MCP_SERVER.replace('"ERP_TOKEN"', '"Bearer sk-123"'),
        r"tool_schemas/mcp/value\.json: secret must be the name of a secret, such as ERP_TOKEN, and not its value$",
    ),
    "tool_schemas/mcp/reads.json": (
        MCP_SERVER.replace('"read"', '"reads"'),
        r"tool_schemas/mcp/reads\.json: access\.find_orders should be 'read', 'write', 'delete' or 'external'$",
    ),
    "tool_schemas/mcp/desktop.json": (
        '{"mcpServers": {"erp": {"command": "npx", "args": ["erp-mcp"]}}}',
        r"tool_schemas/mcp/desktop\.json: name is missing; .*mcpServers is not known here; leave it out$",
    ),
    "tool_schemas/mcp/comma.json": (
        MCP_SERVER.replace("}}", "},}"),
        r"tool_schemas/mcp/comma\.json: Invalid JSON: trailing comma at line 1 column \d+$",
    ),
    "shared/aisha/tools/broken.py": ("def oops(:\n", r"tools/broken\.py:1: "),
    "shared/aisha/tools/unmarked.py": ('"""Nothing."""\n', r"unmarked\.py has no tool: mark a function with @tool"),
    "shared/aisha/tools/described.py": (
        GREETING.replace('Annotated[str, "Whom to greet"]', "str"),
        r"described\.py:\d+: parameter 'name' needs a description",
    ),
    "shared/aisha/tools/access.py": (
        GREETING.replace("@tool(", '@tool(access="writes", '),
        r"tools/access\.py:\d+: .*access: .*'writes'; there are read, write, delete, external",
    ),
    "shared/aisha/tools/slots.py": (
        GREETING.replace("for {name}", "for {nam}"),
        r"tools/slots\.py:\d+: .*examples: \{nam\} is neither \{name\} nor one of its parameters",
    ),
    "shared/aisha/tools/twice.py": (
        GREETING.replace("write_birthday_greeting", "create_lead"),
        r"two tools are called 'create_lead', in leads\.py:\d+ and twice\.py:\d+",
    ),
    "shared/aisha/brainlets/early.py": (
        RECIPES["shared/aisha/brainlets/weather.py"].replace('"pre"', '"before"'),
        r"brainlets/early\.py:\d+: .*stage: .*'before'; there are pre, post",
    ),
    "shared/aisha/application/scans/weekly.py": (
        RECIPES["shared/aisha/application/scans/leads_without_email.py"].replace("7 * 24", '"weekly"'),
        r"scans/weekly\.py:\d+: .*every_hours: Expected `int`",
    ),
    "shared/aisha/application/knowledge/data_sections/small.py": (
        RECIPES["shared/aisha/application/knowledge/data_sections/my_team.py"].replace("MY_TEAM", "my team"),
        r"data_sections/small\.py:\d+: .*ID must be capital letters",
    ),
    "shared/aisha/application/prompt/sections/late.py": (
        RECIPES["shared/aisha/application/prompt/sections/house_rules.py"].replace("order = 45", 'order = "45"'),
        r"late\.py: order must be a whole number: '45'",
    ),
    "shared/aisha/adapters/llm/providers/copy.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"].replace("ACME_API_KEY", "OPENAI_API_KEY"),
        r"providers/copy\.py: another provider has the variable OPENAI_API_KEY",
    ),
    "shared/aisha/adapters/llm/providers/unpriced.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"].replace('{"acme-1":', '{"acme-2":'),
        r"providers/unpriced\.py: prices: the model 'acme-1' has none; they are of acme-2",
    ),
    "shared/aisha/adapters/llm/providers/silent.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"].replace("def stream", "def answer"),
        r"providers/silent\.py: AcmeModel has no stream\(\)",
    ),
    "shared/aisha/application/prompt/sections/misspelt.py": (
        RECIPES["shared/aisha/application/prompt/sections/house_rules.py"].replace("assistant_name", "assistant"),
        r"sections/misspelt\.py:\d+: 'PromptFacts' object has no attribute 'assistant'",
    ),
    "functions/greeting/handler.py": (
        RECIPES["functions/greeting/handler.py"],
        r"functions/greeting/handler\.py: template\.yaml has no function with the CodeUri functions/greeting/",
    ),
    "shared/aisha/adapters/llm/providers/nobody.py": ('"""Nobody."""\n', r"nobody\.py declares no provider: give it"),
    "shared/aisha/application/prompt/sections/nothing.py": (
        '"""Nothing."""\norder = 5\n',
        r"sections/nothing\.py: define `render` in it",
    ),
    "shared/aisha/application/knowledge/data_sections/empty.py": (
        '"""Empty."""\nID = "EMPTY"\n',
        r"data_sections/empty\.py: define `DESCRIPTION` in it",
    ),
    "tool_schemas/http/method.json": (
        RECIPES["tool_schemas/http/find_shipments.json"].replace('"GET"', '"get"'),
        r"tool_schemas/http/method\.json: method should be 'GET', 'POST', 'PUT', 'PATCH' or 'DELETE'$",
    ),
    "shared/aisha/application/knowledge/data_sections/again.py": (
        RECIPES["shared/aisha/application/knowledge/data_sections/my_team.py"].replace("MY_TEAM", "MY_OKRS"),
        r"two data sections have the id 'MY_OKRS', in again\.py and \w+\.py$",
    ),
    "shared/aisha/renderers/misnamed.py": (
        RECIPES["shared/aisha/renderers/plain_text.py"].replace("TurnEvent\n", "TurnEvents\n"),
        r"renderers/misnamed\.py:\d+: cannot import name 'TurnEvents'",
    ),
    "shared/aisha/renderers/moved.py": (
        RECIPES["shared/aisha/renderers/plain_text.py"].replace("conversations.events", "events"),
        r"renderers/moved\.py:\d+: No module named 'aisha\.domain\.events'",
    ),
    "shared/aisha/renderers/spaced.py": (
        RECIPES["shared/aisha/renderers/plain_text.py"].replace("def plain_text", "def plain text"),
        r"renderers/spaced\.py:\d+: expected '\('",
    ),
    "shared/aisha/tools/asynchronous.py": (
        GREETING.replace("def write", "async def write"),
        r"tools/asynchronous\.py:\d+: .*write_birthday_greeting\(\) must be a plain function: leave out async$",
    ),
    "shared/aisha/tools/defaults.py": (
        GREETING.replace('"Whom to greet"]', '"Whom to greet"] = 5'),
        r"tools/defaults\.py:\d+: .*the default of 'name': Input should be a valid string$",
    ),
    "shared/aisha/brainlets/yielding.py": (
        RECIPES["shared/aisha/brainlets/weather.py"].replace("return {", "yield {").replace("def weather", "def wind"),
        r"brainlets/yielding\.py:\d+: .*wind\(\) must return its result, not yield it$",
    ),
    "shared/aisha/brainlets/choosing.py": (
        RECIPES["shared/aisha/brainlets/weather.py"].replace('stage="pre"', 'stage="pre", capability="chat_lite"'),
        r"brainlets/choosing\.py:\d+: .*there is no capability 'chat_lite'; there are chat_tools, chat_light",
    ),
    "shared/aisha/application/scans/listing.py": (
        RECIPES["shared/aisha/application/scans/leads_without_email.py"].replace("yield Finding", "found = Finding"),
        r"scans/listing\.py:\d+: .*leads_without_email\(\) must yield what it finds$",
    ),
    "shared/aisha/application/prompt/sections/blank.py": (
        '"""Blank."""\n\norder = 46\nTEXT = ""\n',
        r"blank\.py: TEXT must be a text that is not empty: ''$",
    ),
    "tool_schemas/crm/colourful.json": (
        (ROOT / "tool_schemas/crm/close.json").read_text("utf-8").replace("{", '{"colour": 1,', 1),
        r"colourful\.json can't be used: there is no member 'colour' here",
    ),
    "shared/aisha/renderers/empty.py": (
        '"""A turn as plain text."""\n',
        r"renderers/empty\.py has no renderer: give it a function that takes a turn's events$",
    ),
    "knowledge/text.txt": (
        RECIPES["knowledge/trade-shows.md"],
        r"knowledge/text\.txt is not loaded: name it text\.md$",
    ),
    "tool_schemas/mcp/erp.yaml": (MCP_SERVER, r"tool_schemas/mcp/erp\.yaml is not loaded: name it erp\.json$"),
    "shared/aisha/tools/greet.people.py": (GREETING, r"tools/greet\.people\.py is not loaded: name it greet\.py$"),
    "shared/aisha/tools/social/greetings.py": (
        GREETING,
        r"tools/social/greetings\.py is not loaded: put an empty __init__\.py into its folder$",
    ),
    "knowledge/capitals.md": (
        RECIPES["knowledge/trade-shows.md"].replace("id: trade-shows", "id: Trade Shows"),
        r"capitals\.md: The id must be lower-case words with hyphens, such as price-list, not 'Trade Shows'",
    ),
    "knowledge/untitled.md": (
        RECIPES["knowledge/trade-shows.md"].replace("# Trade shows", "Trade shows"),
        r"untitled\.md: below the front matter there must be a title \(# \.\.\.\) and a text",
    ),
    "shared/aisha/tools/single_step.py": (
        GREETING.replace("import ToolContext", "import followups, ToolContext").replace(
            "    examples", "    typical_followups=followups.ADD_NOTE,\n    examples"
        ),
        r"tools/single_step\.py:\d+: .*must be several in parentheses, not one: \(FollowUp\('Add a note",
    ),
    "knowledge/two-titles.md": (
        RECIPES["knowledge/trade-shows.md"].replace("id: trade-shows", "id: two-titles")
        + "\n# After the show\n\nCall.\n",
        r"two-titles\.md: it has a second title, 'After the show': make it a section \(## \.\.\.\)",
    ),
    "shared/aisha/application/prompt/sections/first.py": (
        RECIPES["shared/aisha/application/prompt/sections/house_rules.py"].replace("order = 45", "order = True"),
        r"first\.py: order must be a whole number: True$",
    ),
    "shared/aisha/adapters/llm/providers/at_once.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"]
        .replace("-> Iterator[ModelEvent]", "-> list[ModelEvent]")
        .replace("yield TextChunk(", "return [TextChunk(")
        .replace('messages.")', 'messages.")]')
        .replace('        yield ModelFinished("acme", self._model)\n', ""),
        r"providers/at_once\.py: AcmeModel\.stream\(\) must yield its events \(-> Iterator\[ModelEvent\]\)",
    ),
    "shared/aisha/adapters/llm/providers/acme-ai.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"],
        r"providers/acme-ai\.py can't be imported by its name: name it acme_ai\.py$",
    ),
    "shared/aisha/tools/bare.py": (
        re.sub(r"@tool\((?s:.*?)\n\)", "@tool", GREETING),
        r"tools/bare\.py:\d+: write @tool\(\.\.\.\), with its options in the parentheses$",
    ),
    "shared/aisha/brainlets/bare_brainlet.py": (
        re.sub(r"@brainlet\(.*\)", "@brainlet", RECIPES["shared/aisha/brainlets/weather.py"]),
        r"bare_brainlet\.py:\d+: write @brainlet\(\.\.\.\), with its options in the parentheses$",
    ),
    "shared/aisha/tools/collecting.py": (
        GREETING.replace("ToolContext, name", "ToolContext, *others: str, name"),
        r"collecting\.py:\d+: \*others: str takes any number of arguments: give each its own parameter, or use a list$",
    ),
    "shared/aisha/brainlets/never.py": (
        RECIPES["shared/aisha/brainlets/weather.py"]
        .replace('("default", "coach")', "()")
        .replace("weather(", "never("),
        r"'never' \(never\.py:\d+\) has no modes: leave them out, to run in all$",
    ),
    "shared/aisha/application/scans/same_title.py": (
        RECIPES["shared/aisha/application/scans/leads_without_email.py"].replace("Leads Without Email", "Stale Leads"),
        r"scans/\w+\.py:\d+: .*has the title 'Stale Leads', too: their events could not be told apart$",
    ),
    "shared/aisha/application/prompt/sections/both.py": (
        RECIPES["shared/aisha/application/prompt/sections/house_rules.py"].replace(
            "order = 45", 'order = 45\nTEXT = "A"'
        ),
        r"both\.py: it has both TEXT and render\(\): leave one of them out$",
    ),
    "shared/aisha/adapters/llm/providers/priced_in_words.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"].replace("input=1.0", 'input="1 USD"'),
        r"providers/priced_in_words\.py: prices: that of acme-1: input: Expected `float`, got `str`$",
    ),
    "shared/aisha/adapters/llm/providers/deaf.py": (
        RECIPES["shared/aisha/adapters/llm/providers/acme.py"].replace("self, request: ModelRequest", "self"),
        r"providers/deaf\.py: AcmeModel\.stream\(\) must take self and request$",
    ),
    "shared/aisha/renderers/eventless.py": (
        RECIPES["shared/aisha/renderers/plain_text.py"].replace("events: Iterable[TurnEvent]", ""),
        r"renderers/eventless\.py has no renderer: give it a function that takes a turn's events$",
    ),
    "tool_schemas/http/nameless_secret.json": (
        RECIPES["tool_schemas/http/find_shipments.json"].replace(
            '"secret": "ERP_TOKEN"', '"headers": {"X-Key": "{secret}"}'
        ),
        r"nameless_secret\.json: headers: \{secret\} needs the name of the secret, as in \"secret\": \"ERP_TOKEN\"$",
    ),
    "tool_schemas/mcp/repeating.json": (
        MCP_SERVER.replace('"access"', '"url": "https://erp.example.com/mcp", "access"'),
        r"tool_schemas/mcp/repeating\.json: url is there twice$",
    ),
    "tool_schemas/mcp/words.json": (
        MCP_SERVER.replace('"access"', '"module": "orders and more", "access"'),
        r"tool_schemas/mcp/words\.json: module: 'orders and more' must be one word, such as 'leads'$",
    ),
    "knowledge/undescribed.md": (
        RECIPES["knowledge/trade-shows.md"].replace("id: trade-shows", "id: undescribed\nauthor: Jack"),
        r"undescribed\.md: between the lines of --- are .* each once, not 'author: Jack'$",
    ),
    "knowledge/no-description.md": ("---\nid: no-description\n---\n# Title\n\nText.\n", r"no-description\.md"),
}


@pytest.mark.parametrize("path", MISTAKES)
def test_a_mistake_stops_the_start_with_one_sentence_that_names_the_file(
    project: Path, placed: dict[str, str], path: str
) -> None:
    content, sentence = MISTAKES[path]
    placed[path] = content
    place(project, placed)
    process = run(project, "-m", "infra.extensions")
    assert process.returncode == 1
    (line,) = process.stderr.strip().splitlines()
    assert re.search(sentence, line), line
    started = run(project, "-m", "infra.local.cli", "serve", "--port", "0")
    assert started.returncode == 1
    assert re.search(sentence, started.stderr)
    assert "Traceback" not in started.stderr
