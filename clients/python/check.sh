#!/usr/bin/env bash
# `npm run test:python`: style, types and tests of the Python package, then its wheel in a fresh virtual environment.
# Needs Python 3.10 or newer with venv; PYTHON names another one. Arguments go to pytest and skip the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(cd ../.. && pwd)
work="$root/tmp/python"
mkdir -p "$work"

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.10; do
    if [[ -n $candidate ]] && "$candidate" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "test:python needs Python 3.10 or newer with venv (Debian: apt-get install python3-venv)" >&2
  return 1
}
python=$(find_python)

# The environment is made again when the requirements or Python change.
stamp=$({ "$python" -VV; cat requirements-dev.txt pyproject.toml; } | sha256sum | cut -d ' ' -f 1)
if [[ ! -f "$work/venv/$stamp" ]]; then
  rm -rf "$work/venv"
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r requirements-dev.txt
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -e .
  touch "$work/venv/$stamp"
fi
bin="$work/venv/bin"

if [[ $# -gt 0 ]]; then exec "$bin/pytest" "$@"; fi

examples=(../../examples/aiogram)
"$bin/ruff" check --quiet . "${examples[@]}"
"$bin/ruff" format --quiet --check . "${examples[@]}"
"$bin/mypy" --no-error-summary .
(cd "${examples[0]}" && "$bin/mypy" --no-error-summary --config-file "$root/clients/python/pyproject.toml" .)
echo "ok     style and types"

"$bin/pytest"

# The package: built, checked, and used from the wheel alone, outside of the repository.
rm -rf "$work/dist" "$work/fresh"
"$bin/python" -m build --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$bin/twine" check --strict "$work"/dist/*
"$python" -m venv "$work/fresh"
"$work/fresh/bin/pip" install --quiet --disable-pip-version-check "$work"/dist/*.whl
(cd /tmp && "$work/fresh/bin/python" -I "$root/clients/python/tests/check_wheel.py")
"$work/fresh/bin/pip" install --quiet --disable-pip-version-check "$(ls "$work"/dist/*.whl)[aiogram,ptb,telebot]"
(cd /tmp && "$work/fresh/bin/python" -I "$root/clients/python/tests/check_wheel.py" all)
# Not a pipe: grep ends at its first match, and the other side would fail to write.
"$bin/python" -m tarfile -l "$work"/dist/*.tar.gz >"$work/sdist.txt"
grep -q 'src/sponsorgate/py.typed' "$work/sdist.txt"
echo "ok     wheel and sdist"
