# The password of the database: changed as docs/operations.md says, and wrong ones are blamed on the right place.
fresh </dev/null
say 'alice: my cat is called Tama'
echo 'POSTGRES_PASSWORD=another-one' >.env
docker compose up --detach postgres >/dev/null 2>&1
wait_for 60 'Postgres does not come back' healthy "$(docker compose ps --quiet postgres)"
rc=0
wrong=$(docker compose run --rm --no-deps --no-TTY bot kikimimi check 2>&1) || rc=$?
[ $rc = 1 ] || fail "check ends with $rc"
expect 'the password of the file is wrong' 'wrong password for the user "kikimimi"\. It comes from the file /run/kikimimi/password.* POSTGRES_PASSWORD' "$wrong"
docker compose exec postgres bash -c 'psql --username kikimimi --set new="$(cat /run/kikimimi/password)" <<< "alter role kikimimi password :'"'"'new'"'"'"' >/dev/null
docker compose restart bot >/dev/null 2>&1
bot=$(docker compose ps --quiet bot)
wait_for 60 'the bot does not come back with the new password' healthy
ask 'alice: @kiki what is my cat called?' Tama
ok 'the password is changed as the manual says; before that a refusal names the file and POSTGRES_PASSWORD'

refused() { # refused PATTERN OPTION…
  local pattern=$1 out
  shift
  if out=$(docker compose run --rm --no-deps --no-TTY "$@" bot kikimimi check 2>&1); then fail 'check passes with a wrong password'; fi
  expect 'a wrong password' "$pattern" "$out"
}
refused 'It comes from PGPASSWORD,' --env PGPASSWORD=wrong
refused 'Correct it in DATABASE_URL' --env DATABASE_URL=postgres://kikimimi:wrong@postgres/kikimimi
refused 'DATABASE_URL has none' --env PGPASSWORD_FILE=
ok 'a wrong password of PGPASSWORD, of DATABASE_URL, and none, are blamed on these'
security=$(kiki doctor security || true)
if grep 'password of the database' <<<"$security" >/dev/null; then fail "doctor security: $security"; fi
ok 'doctor security has nothing against the password'
