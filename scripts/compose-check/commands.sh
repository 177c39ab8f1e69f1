# The commands of the operator beside a running bot: on the server of the compose file, and on a folder, by the socket of the bot.
beside() { # the bot talks meanwhile
  say 'alice: my cat is called Tama'
  ask 'alice: @kiki remember that the spare key is under the blue pot' 'remember that\.'
  say 'mallory: my bike is red'
  ask 'mallory: @kiki hello' '^kiki: '
  expect why 'mentions the bot' "$(kiki why)"
  expect explain '"plugin":"judge-rules"' "$(kiki explain --channel terminal --json)"
  expect facts 'under the blue pot' "$(kiki facts list)"
  expect export 'called Tama' "$(kiki export 2>/dev/null)"
  (umask 077 && kiki backup --stdout >kikimimi.backup)
  [ -s kikimimi.backup ] || fail 'the backup is empty'
  expect forget 'Deleted the data of terminal:mallory' "$(kiki forget mallory)"
  if kiki export 2>/dev/null | grep -i bike >/dev/null; then fail 'forget leaves something'; fi
  expect facts 'under the blue pot' "$(kiki facts list)"
  expect 'a fact that is not there' 'why|No turn' "$(kiki why no-such 2>&1 || true)"
  ask 'alice: @kiki what is my cat called?' Tama
  [ "$(inspect '{{.RestartCount}}')" = 0 ] || fail 'the bot was restarted'
}

fresh </dev/null
beside
doctor=$(kiki doctor) || fail "doctor: $doctor"
expect doctor 'ok rows: ' "$doctor"
expect 'doctor dead-letters' 'no dead letter' "$(kiki doctor dead-letters)"
security=$(kiki doctor security) || true
if grep '^!!' <<<"$security" >/dev/null; then fail "doctor security: $security"; fi
expect check 'ok tables: up to date' "$(kiki check)"
ok 'beside a bot on the server: why, explain, facts, export, backup, forget, doctor, check'

# As docs/operations.md says it.
fresh <<'YAML'
services:
  bot:
    depends_on: { postgres: !reset null }
    environment:
      DATABASE_URL: /data/kikimimi
    volumes: ["data:/data"]
  postgres: !reset null
volumes:
  data:
YAML
[ "$(docker compose ps --services)" = bot ] || fail "not the bot alone: $(docker compose ps --services)"
beside
# A folder belongs to the process that uses it.
expect 'doctor on a folder in use' 'Stop the bot' "$(kiki doctor 2>&1 || true)"
docker compose stop bot
[ "$(inspect '{{.State.ExitCode}}')" = 0 ] || fail "it ended with $(inspect '{{.State.ExitCode}}')"
doctor=$(docker compose run --rm --no-TTY bot kikimimi doctor) || fail "doctor: $doctor"
expect doctor 'ok rows: ' "$doctor"
docker compose run --rm --no-TTY bot mv /data/kikimimi /data/before
docker compose run --rm --no-TTY bot sh -c 'cat > /tmp/backup && kikimimi restore /tmp/backup' <kikimimi.backup
docker compose start bot
wait_for 60 'the bot does not start' healthy
expect facts 'under the blue pot' "$(kiki facts list)"
ask 'alice: @kiki what is my cat called?' Tama
if kiki export 2>/dev/null | grep -i bike >/dev/null; then fail 'a forgotten person is back'; fi
ok 'beside a bot on a folder: why, explain, facts, export, backup, forget; when it is stopped: doctor, restore'
