# Three processes, also through PgBouncer in transaction mode, which are killed one after the other. People talk on a Discord on this
# machine meanwhile: every message is recorded once, and each mention is answered once.
discord=
end_discord() { [ -z "$discord" ] || kill "$discord" 2>/dev/null || true; }
trap end_discord EXIT
check_processes() { # check_processes NAME; the override is on standard input
  local override name=$1 told
  override=$(cat)
  rm -f discord.json discord.done talk
  node "$checkout/scripts/run.mjs" "$checkout/scripts/compose-check/discord.ts" "$PWD" &
  discord=$!
  wait_for 60 'no Discord' test -s discord.json
  fresh "DISCORD_TOKEN=$(field token)" "DISCORD_API_URL=$(field apiUrl)" <<<"$override"
  # An answer names its question: reply() quotes it only when others have written meanwhile.
  local before
  before=$(lines)
  printf '%s\n' "import { definePlugin } from 'kikimimi'" \
    "export default definePlugin({ name: 'number', setup: () => ({" \
    "  respond: ({ message }) => ({ kind: 'text', text: 're ' + /number \\d+/.exec(message.text) }) }) })" >number.ts
  sed -i "1i import number from './number.ts'
s/^    reply(),/    number(), reply(),/" bot.config.ts
  wait_for 30 'the plugin that answers does not arrive' logged "$before" 'number started'
  docker compose up --detach --scale bot=3 --wait --wait-timeout 180 >/dev/null 2>&1 || fail 'three processes do not start'
  touch talk
  for one in $(docker compose ps --quiet bot); do
    sleep 10
    # From inside, so that the restart policy sees the end of a process and not a stop by the operator.
    docker exec "$one" sh -c 'kill -9 -1' || true
    came_back() { [ "$(inspect '{{.RestartCount}}' "$one")" -ge 1 ] && healthy "$one"; }
    wait_for 240 "$one does not come back" came_back
  done
  rm talk
  local until=$((SECONDS + 240))
  until [ -s discord.done ]; do
    [ $SECONDS -lt $until ] || fail "not answered: $(field waiting)"
    sleep 1
  done
  told=$(cat discord.done)
  [ "$(field twice discord.done)" = 0 ] || fail "answered twice: $told"
  [ "$(sql "select count(*), count(distinct id) from kikimimi.message where author_id <> '$(field bot discord.done)'")" = "$(field said discord.done)|$(field said discord.done)" ] ||
    fail "recorded: $(sql "select count(*), count(distinct id) from kikimimi.message where author_id <> '$(field bot discord.done)'"), $told"
  wait "$discord"
  discord=
  ok "$name: three processes are killed and come back; $told"
}
field() { node -p "JSON.parse(require('fs').readFileSync('${2:-discord.json}', 'utf8')).$1"; }

check_processes 'on Postgres' <<'YAML'
services:
  bot:
    extra_hosts: ["host.docker.internal:host-gateway"]
YAML
check_processes 'through PgBouncer' <<'YAML'
services:
  bot:
    extra_hosts: ["host.docker.internal:host-gateway"]
    depends_on: { pgbouncer: { condition: service_healthy } }
    environment:
      DATABASE_URL: postgres://kikimimi@pgbouncer:6432/kikimimi
      DATABASE_DIRECT_URL: postgres://kikimimi@postgres:5432/kikimimi
  pgbouncer:
    build:
      dockerfile_inline: |
        FROM pgvector/pgvector:pg17
        RUN apt-get update && apt-get install --yes --no-install-recommends pgbouncer
    depends_on: { postgres: { condition: service_healthy } }
    volumes: ["secrets:/run/kikimimi:ro"]
    entrypoint:
      - bash
      - -euc
      - |
        printf '"kikimimi" "%s"\n' "$$(< /run/kikimimi/password)" > /tmp/users
        printf '%s\n' '[databases]' '* = host=postgres' '[pgbouncer]' 'listen_addr = 0.0.0.0' 'listen_port = 6432' 'unix_socket_dir =' \
          'auth_type = scram-sha-256' 'auth_file = /tmp/users' 'pool_mode = transaction' 'default_pool_size = 10' > /tmp/pgbouncer.ini
        chown -R postgres /tmp
        exec pgbouncer --user=postgres /tmp/pgbouncer.ini
    healthcheck: { test: [CMD, bash, -c, "exec 3<>/dev/tcp/127.0.0.1/6432"], interval: 2s }
YAML
