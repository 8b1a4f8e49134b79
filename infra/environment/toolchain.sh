# Functions, to be sourced, that find uv and a Python of a given version. Call them from the project's root.

# find_uv: prints the path of uv, from $UV or the PATH, or installed by pip (any Python 3.9+) into .local/uv.
find_uv() {
  local uv=${UV:-$(command -v uv || true)}
  if [ -z "$uv" ]; then
    uv=$PWD/.local/uv/bin/uv
    if [ ! -x "$uv" ]; then
      mkdir -p .local
      python3 -m venv .local/uv && .local/uv/bin/python -m pip install -q --disable-pip-version-check "uv>=0.9" >&2
    fi
  fi
  echo "$uv"
}

# compile_lock OPTION...: writes exact versions with hashes, for every platform, without the index they came from.
compile_lock() {
  "$(find_uv)" pip compile -q --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header "$@"
}

# find_python TEST NAME...: prints the first interpreter whose sys.version_info passes TEST; nothing if there is none.
# Each one is run, because a pyenv shim is on the PATH even where its version isn't active.
find_python() {
  local test=$1 candidate path program
  shift
  program="import sys; v = sys.version_info[:2]; assert $test; print(sys.executable)"
  for candidate in ${PYTHON:-} "$@" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python; do
    if path=$("$candidate" -c "$program" 2>/dev/null); then
      echo "$path"
      return
    fi
  done
}
