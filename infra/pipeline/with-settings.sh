#!/usr/bin/env bash
# Runs a command of the CDK, or deploy:check, with the settings in CDK_CONTEXT, one name=value a line.
set -euo pipefail
arguments=("$@")
while IFS= read -r setting; do
  [ -z "$setting" ] || arguments+=(-c "$setting")
done <<<"${CDK_CONTEXT:-}"
exec "${arguments[@]}"
