#!/bin/bash
# refresh_docs.sh write|compare PAGE=FILE...: makes each page equal to its file,
# or says which are not.
set -uo pipefail
mode=$1
shift
stale=0
for pair in "$@"; do
  page=${pair%%=*} file=${pair#*=}
  if [[ $mode == write ]]; then
    install -D -m 644 "$file" "$BUILD_WORKSPACE_DIRECTORY/$page"
  elif ! diff -u "$page" "$file"; then
    echo "$page is stale: run 'bazel run //tools:refresh_docs'" >&2
    stale=1
  fi
done
exit $stale
