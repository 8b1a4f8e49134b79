#!/usr/bin/env bash
# Checks template.yaml by `sam validate --lint`, its CloudFormation form by cfn-lint and checkov, and the workflows by
# checkov, without AWS.
# usage: template_check.sh
# `--lint` is cfn-lint on template.yaml itself. Exceptions and their reasons: Metadata in template.yaml, .checkov.yaml.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$(infra/environment/tool_environment.sh template-check)
sam=$(infra/environment/tool_environment.sh sam)
folder=.local/build/template-check
mkdir -p "$folder"
# cfn-lint and checkov know little of SAM's own types, so they read the resources that SAM translates them to.
AWS_DEFAULT_REGION=${AWS_DEFAULT_REGION:-us-east-1} "$sam/bin/python" - template.yaml "$folder" <<'PYTHON'
import json
import logging
import sys
from pathlib import Path

from samcli.lib.translate.sam_template_validator import SamTemplateValidator
from samcli.yamlhelper import yaml_parse


class NoManagedPolicies:
    """Names no ARN, because the template uses none of AWS's managed policies."""

    def load(self):
        return {}


logging.getLogger("samtranslator").setLevel(logging.ERROR)
source, folder = map(Path, sys.argv[1:])
validator = SamTemplateValidator(yaml_parse(source.read_text(encoding="utf-8")), NoManagedPolicies())
translated = yaml_parse(validator.get_translated_template_if_valid())
(folder / "template.json").write_text(json.dumps(translated, indent=1), encoding="utf-8")
# No checkov rule reads the API's OpenAPI document, and parsing it takes longer than everything else.
for resource in translated["Resources"].values():
    if resource["Type"] == "AWS::ApiGateway::RestApi":
        del resource["Properties"]["Body"]
(folder / "without_body.json").write_text(json.dumps(translated, indent=1), encoding="utf-8")
PYTHON

# check NAME COMMAND...: runs a command in the background, its output in a log.
names=(); processes=()
check() {
  local name=$1; shift
  "$@" > "$folder/$name.log" 2>&1 &
  names+=("$name"); processes+=($!)
}
check "sam validate" infra/sam/sam.sh validate --lint
check cfn-lint "$tools/bin/cfn-lint" --ignore-checks W -- "$folder/template.json"
check checkov "$tools/bin/checkov" --config-file .checkov.yaml --file "$folder/without_body.json"
check "checkov, workflows" "$tools/bin/checkov" --quiet --framework github_actions --directory .github
failed=0
for index in "${!names[@]}"; do
  result=passed
  wait "${processes[$index]}" || { result=FAILED; failed=1; }
  echo "== ${names[$index]}: $result, $SECONDS s"
  grep -v '^ *$' "$folder/${names[$index]}.log" || true
done
exit "$failed"
