#!/usr/bin/env bash
# Runs one scene, with the words that all scenes use. A scene begins with `fresh`.
set -Eeuo pipefail
trap 'echo "FAILED: line $LINENO of ${BASH_SOURCE[0]##*/}: $BASH_COMMAND" >&2' ERR

ok() { echo "ok: $*"; }
fail() {
  echo "FAILED: $*" >&2
  docker compose logs --no-color --tail 15 >&2
  exit 1
}
expect() { # expect WHAT PATTERN TEXT
  grep -E -- "$2" <<<"$3" >/dev/null || fail "$1: no \"$2\" in: $3"
}

reset() {
  docker compose --profile '*' down --volumes --remove-orphans --timeout 5 >/dev/null 2>&1
  cp "$checkout/bot.config.ts" .
  rm -rf prompts ./*.backup docker-compose.override.yml .env
}
# Installs from nothing. Standard input is docker-compose.override.yml, the arguments are lines of .env.
fresh() {
  reset
  cat >docker-compose.override.yml
  [ -s docker-compose.override.yml ] || rm docker-compose.override.yml
  (umask 077 && printf '%s\n' "$@" >.env)
  docker compose up --detach --build --wait --wait-timeout 180 >/dev/null 2>&1 || fail 'it does not start'
  bot=$(docker compose ps --quiet bot | head -1)
  # Empty for a bot without a server.
  postgres=$(docker compose ps --quiet postgres 2>/dev/null || true)
}

inspect() { docker inspect --format "$1" "${2:-$bot}"; }
in_bot() { docker exec "$bot" "$@"; }
kiki() { docker compose exec -T bot kikimimi "$@"; }
get() { in_bot node -e "fetch('http://127.0.0.1:8787/$1').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(2))"; }
lines() { docker logs "${1:-$bot}" 2>&1 | wc -l; }
sql() { docker compose exec -T postgres psql --username kikimimi --no-align --tuples-only --command "$1"; }

wait_for() { # wait_for SECONDS WHAT COMMAND…
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $until ] || fail "$what"
    sleep 0.3
  done
}
healthy() { [ "$(inspect '{{.State.Health.Status}}' "${1:-$bot}")" = healthy ]; }
# No `grep -q` at the end of a pipe: it ends early, the pipe breaks, and a match counts as none.
logged() { docker logs "$bot" 2>&1 | tail -n +$(($1 + 1)) | grep -E -- "$2" >/dev/null; }
say() { # what is typed into `docker attach`, whose end leaves the bot's standard input open
  { printf '%s\n' "$1"; sleep 1; } | timeout 2 docker attach --sig-proxy=false "$bot" >/dev/null 2>&1 || true
}
ask() { # ask QUESTION PATTERN: a new line of the bot
  local before
  before=$(lines)
  say "$1"
  wait_for 40 "no \"$2\" in answer to \"$1\"" logged "$before" "$2"
}

reset
# shellcheck source=/dev/null
. "$1"
