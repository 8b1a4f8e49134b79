# Starts and stops a service in the background; sourced by the scripts beside it, which set `name`, `pid_file` and `log`
# and define `answers`.
name=${name:?} pid_file=${pid_file:?} log=${log:?}

is_running() { [ -f "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; }

# is_started PORT: true when it runs already; ends the script when another program has its port.
is_started() {
  answers || return 1
  is_running && return
  echo "$name: something else already answers on port $1; choose another port" >&2
  exit 1
}

# launch SECONDS COMMAND...: run the command in the background until `answers`; ends the script when it does not.
launch() {
  local tenths=$(($1 * 10))
  setsid "${@:2}" > "$log" 2>&1 < /dev/null &
  echo $! > "$pid_file"
  for _ in $(seq "$tenths"); do
    if answers; then return; fi
    is_running || break
    sleep 0.1
  done
  echo "$name did not start:" >&2
  tail -n 20 "$log" >&2
  exit 1
}

stop() {
  if is_running; then
    kill "$(cat "$pid_file")"
    for _ in $(seq 300); do is_running || break; sleep 0.1; done
  fi
  rm -f "$pid_file"
}
