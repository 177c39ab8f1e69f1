# A start from nothing: no .env, no volumes.
from=$(date +%s%N)
fresh </dev/null
took=$((($(date +%s%N) - from) / 100000000))
healthy || fail 'the bot is not healthy'
healthy "$postgres" || fail 'Postgres is not healthy'
get readyz || fail '/readyz'
ok "both services are healthy and the bot is ready after $((took / 10)).$((took % 10)) s"

docker compose --profile '*' config --quiet || fail 'docker-compose.yml with its profiles'
size=$(($(docker image inspect --format '{{.Size}}' "$(inspect '{{.Image}}')") / 1000000))
[ "$size" -lt 400 ] || fail "the image takes $size MB"
ok "every profile is valid, and the image takes $size MB"

password=$(in_bot cat /run/kikimimi/password)
expect 'the generated password' '^[0-9a-f]{48}$' "$password"
lets_in() { docker exec --env PGPASSWORD="$1" "$postgres" psql --host "$(docker exec "$postgres" hostname -i)" --username kikimimi --command 'select 1' >/dev/null 2>&1; }
lets_in "$password" || fail 'the generated password is refused'
for guess in '' change-me kikimimi postgres; do
  if lets_in "$guess"; then fail "the database lets \"$guess\" in"; fi
done
ok 'the password of the database is generated, and no default one is let in'

[ "$(in_bot id -u)" != 0 ] || fail 'the bot runs as root'
for place in /app/written /app/bot.config.ts /bot/written; do
  if in_bot sh -c "echo > $place" 2>/dev/null; then fail "$place can be written"; fi
done
in_bot sh -c 'echo > /tmp/written' || fail '/tmp cannot be written'
[ "$(inspect '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.Privileged}}')" = 'true [ALL] false' ] || fail 'capabilities'
in_bot grep -q '^CapEff:\s*0*$' /proc/1/status || fail 'the bot has capabilities'
in_bot grep -q '^NoNewPrivs:\s*1' /proc/1/status || fail 'the bot can gain privileges'
[ "$(inspect '{{.HostConfig.PortBindings}}')$(inspect '{{.HostConfig.PortBindings}}' "$postgres")" = 'map[]map[]' ] || fail 'a port is published'
ok 'not root, no capabilities, read-only but for /tmp, no port published'

in_bot test ! -e /app/.env || fail 'the image holds .env'
in_bot test ! -e /app/.npmrc || fail 'the image holds .npmrc'
fresh "POSTGRES_PASSWORD='p w#\$x:/@?%41 long'" "DASHBOARD_PASSWORD='a-secret-of-the-dashboard'" </dev/null
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
for secret in 'p w#$x:/@?%41 long' a-secret-of-the-dashboard; do
  if outside | grep -F -- "$secret" >/dev/null; then fail 'a secret of .env shows outside the environment'; fi
done
[ "$(in_bot cat /run/kikimimi/password)" = 'p w#$x:/@?%41 long' ] || fail 'the password of .env did not arrive as it is'
ok 'a password of .env with any characters works, and no secret shows outside the environment'
