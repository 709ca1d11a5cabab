#!/bin/sh
# Gives back the task that this session still holds:
#
#   ralph-release.sh session-end    the session is over
#   ralph-release.sh pre-compact    its context is about to be compacted; what is left of it does not know any more what it
#                                   has tried, so it must not go on with the task
#
# It may run twice, late, and where there is no Ralph: then there is nothing to give back, and that is fine. Each command of
# it has SECONDS_MAX seconds, so that it never keeps a session from ending.
#
# Exit code 2, only before compacting: keeps Claude Code from it, and tells the person why. 0 is everything else.

SECONDS_MAX=4
# What a shell says about a command that it had to stop is for nobody.
exec 3>&2 2>/dev/null
command -v ralph >/dev/null || exit 0
cd "${CLAUDE_PROJECT_DIR:-.}" || exit 0

case "$1" in
  session-end) reason='session exited without completing task' ;;
  pre-compact) reason='the context of the session was full before the task was done; make the task smaller' ;;
  *) echo "Usage: ralph-release.sh session-end | pre-compact" >&3; exit 0 ;;
esac

# Under this name the skill /ralph-build claims where nobody has given it another. Newer versions of Claude Code say the
# session's id in the environment, all of them in the JSON on stdin.
agent=$RALPH_AGENT_ID
if [ -z "$agent" ]; then
  session=$CLAUDE_CODE_SESSION_ID
  [ -n "$session" ] || session=$(head -c 65536 | sed -n 's/.*"session_id" *: *"\([0-9A-Za-z-]*\)".*/\1/p')
  [ -n "$session" ] || exit 0
  agent="claude-$session"
fi

within() {
  "$@" </dev/null 3>&- &
  work=$!
  (
    trap 'kill "$nap"; exit' TERM
    sleep "$SECONDS_MAX" &
    nap=$!
    wait "$nap" && kill "$work"
  ) >/dev/null 3>&- &
  guard=$!
  wait "$work"
  code=$?
  kill "$guard"
  return "$code"
}

released=''
tasks=$(within ralph task list --status active --assignee "$agent")
# A table: the id is the first word of each line after the first, and has no white space in it.
for id in $(printf '%s\n' "$tasks" | sed -e 1d -e 's/ .*//'); do
  within ralph task fail --agent "$agent" --reason "$reason" -- "$id" >/dev/null || break
  released="$released $id"
done
[ "$1" = pre-compact ] && [ -n "$released" ] || exit 0

# In a loop the next session begins where this one ends.
if [ -n "$RALPH_SOCKET" ] && [ "${CLAUDE_PID:-0}" -gt 1 ]; then
  kill -TERM "$CLAUDE_PID"
  exit 0
fi
echo "Ralph has given back$released, since a compacted session does not remember what it tried. Use /clear, then /ralph-build; or compact again to go on without the task." >&3
exit 2
