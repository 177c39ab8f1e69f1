#!/usr/bin/env bash
# Checks the running compose project from outside, as an owner would: health, size, rights, secrets, talking through the
# terminal, memory over restarts. Run it where `docker compose` means this project, after `docker compose up --wait`.
# Secrets are looked for when .env sets some: POSTGRES_PASSWORD='any value' is enough.
set -Eeuo pipefail
trap 'echo "compose-check: line $LINENO failed" >&2' ERR

bot=$(docker compose ps --quiet bot)
postgres=$(docker compose ps --quiet postgres)
ok() { echo "ok: $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
inspect() { docker inspect --format "$1" "${2:-$bot}"; }
in_bot() { docker exec "$bot" "$@"; }
get() { in_bot node -e "fetch('http://127.0.0.1:8787/$1').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(2))"; }
lines() { docker logs "$bot" 2>/dev/null | wc -l; }

wait_for() { # wait_for SECONDS WHAT COMMAND…
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $until ] || fail "$what"
    sleep 0.3
  done
}
healthy() { [ "$(inspect '{{.State.Health.Status}}' "$1")" = healthy ]; }
# No `grep -q` at the end of a pipe: it ends early, the pipe breaks, and a match counts as none.
answered() { docker logs "$bot" 2>/dev/null | tail -n +$(($1 + 1)) | grep -- "$2" >/dev/null; }
say() { # what is typed into `docker attach`, whose end leaves the bot's standard input open
  { printf '%s\n' "$1"; sleep 1; } | timeout 2 docker attach --sig-proxy=false "$bot" >/dev/null 2>&1 || true
}
ask() { # ask QUESTION PATTERN: the answer is a new line on the bot's standard output
  local before
  before=$(lines)
  say "$1"
  wait_for 40 "no \"$2\" in answer to \"$1\"; the bot said: $(docker logs "$bot" 2>/dev/null | tail -n +$((before + 1)))" answered "$before" "$2"
}

wait_for 60 'the bot is not healthy' healthy "$bot"
wait_for 60 'Postgres is not healthy' healthy "$postgres"
get healthz || fail '/healthz'
get readyz || fail '/readyz'
ok 'both are healthy, and the bot is ready'

docker compose --profile '*' config --quiet || fail 'docker-compose.yml with its profiles'
size=$(($(docker image inspect --format '{{.Size}}' "$(inspect '{{.Image}}')") / 1000000))
[ "$size" -lt 400 ] || fail "the image takes $size MB"
ok "every profile is valid, and the image takes $size MB"

[ "$(in_bot id -u)" != 0 ] || fail 'the bot runs as root'
if in_bot sh -c 'echo > /app/written' 2>/dev/null; then fail '/app can be written to'; fi
if in_bot sh -c 'echo > /app/bot.config.ts' 2>/dev/null; then fail 'bot.config.ts can be written to'; fi
in_bot sh -c 'echo > /tmp/written' || fail '/tmp cannot be written to'
[ "$(inspect '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.Privileged}}')" = 'true [ALL] false' ] || fail 'capabilities'
in_bot grep -q '^CapEff:\s*0*$' /proc/1/status || fail 'the bot has capabilities'
in_bot grep -q '^NoNewPrivs:\s*1' /proc/1/status || fail 'the bot can gain privileges'
[ "$(inspect '{{.HostConfig.PortBindings}}')$(inspect '{{.HostConfig.PortBindings}}' "$postgres")" = 'map[]map[]' ] || fail 'a port is published'
ok 'not root, no capabilities, read-only but for /tmp, no port published'

in_bot test ! -e /app/.env || fail 'the image holds .env'
in_bot test ! -e /app/.npmrc || fail 'the image holds .npmrc'
outside() { # all that Docker tells about the containers and the image, but for the environment, and all that they said
  docker inspect "$bot" "$postgres" | node -e '
    const all = JSON.parse(require("fs").readFileSync(0, "utf8"))
    for (const one of all) delete one.Config.Env
    console.log(JSON.stringify(all))'
  docker inspect "$(inspect '{{.Image}}')"
  docker history --no-trunc "$(inspect '{{.Image}}')"
  docker logs "$bot" 2>&1
  docker logs "$postgres" 2>&1
}
secrets=$({ grep -E '^[A-Z_]*(KEY|TOKEN|SECRET|PASSWORD)[A-Z_]*=..' .env 2>/dev/null || true; } | sed -E "s/^[^=]*=//; s/^'(.*)'$/\1/; s/^\"(.*)\"$/\1/")
if [ -n "$secrets" ]; then
  if outside | grep -F -- "$secrets" >/dev/null; then fail 'a secret of .env shows outside the environment'; fi
  ok "no secret of .env shows outside the environment ($(wc -l <<<"$secrets") looked for)"
else
  echo 'SKIPPED: .env sets no secret to look for'
fi

[ "$(in_bot kikimimi --version)" != '' ] || fail 'the command kikimimi'
in_bot sh -c 'echo > /bot/written' 2>/dev/null && fail '/bot can be written to'
in_bot test -s /run/kikimimi/password || fail 'the password of the database'
ok 'the command kikimimi runs, and the folder of the project is read-only'

say 'alice: my cat is called Tama'
ask 'alice: @kiki hello' .
ok 'answers through the terminal'
docker compose restart bot
wait_for 60 'the bot does not come back' healthy "$bot"
ask 'alice: @kiki what is my cat called?' Tama
ok 'remembers over a restart of the bot'
docker compose restart postgres
wait_for 60 'Postgres does not come back' healthy "$postgres"
wait_for 60 'the bot does not find its database again' get readyz
ask 'alice: @kiki what is my cat called?' Tama
ok 'remembers over a restart of Postgres'

docker compose stop bot
[ "$(inspect '{{.State.ExitCode}}')" = 0 ] || fail "it ended with $(inspect '{{.State.ExitCode}}'): $(docker logs --tail 5 "$bot" 2>&1)"
docker compose start bot
wait_for 60 'the bot does not start again' healthy "$bot"
ok 'stops in order and starts again'
