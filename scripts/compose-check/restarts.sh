# What a restart of each service leaves.
fresh </dev/null
say 'alice: my cat is called Tama'
ask 'alice: @kiki hello' '^kiki: '
ok 'answers through the terminal'
docker compose restart bot
wait_for 60 'the bot does not come back' healthy
ask 'alice: @kiki what is my cat called?' Tama
ok 'remembers over a restart of the bot'

# In the middle: what is said while Postgres is away is recorded afterwards, and answered once.
before=$(lines)
docker compose stop postgres
say 'alice: @kiki remember that the spare key is under the blue pot'
sleep 5
if get readyz; then fail 'ready without a database'; fi
healthy || fail 'a bot without its database is not healthy'
docker compose start postgres
wait_for 60 'the bot does not find its database again' get readyz
wait_for 40 'no answer to what was said meanwhile' logged "$before" 'remember that\.'
sleep 3
[ "$(docker logs "$bot" 2>&1 | tail -n +$((before + 1)) | grep -c '^kiki: ')" = 1 ] || fail 'answered more than once'
[ "$(sql "select count(*) from kikimimi.message where text like '%blue pot%' and author_id = 'alice'")" = 1 ] || fail 'not recorded once'
[ "$(inspect '{{.RestartCount}}')" = 0 ] || fail 'the bot was restarted'
ok 'a message during an outage of Postgres is recorded once and answered once, without a restart of the bot'
# A kill, not an orderly stop.
docker exec "$postgres" bash -c 'kill -9 $(head -1 "$PGDATA/postmaster.pid")'
wait_for 60 'Postgres does not come back after kill -9' healthy "$postgres"
wait_for 60 'the bot does not find its database again' get readyz
ask 'alice: @kiki what is my cat called?' Tama
ok 'remembers over kill -9 of Postgres'

docker compose stop bot
[ "$(inspect '{{.State.ExitCode}}')" = 0 ] || fail "it ended with $(inspect '{{.State.ExitCode}}')"
docker compose start bot
wait_for 60 'the bot does not start again' healthy
# With a request in the middle.
say 'alice: @kiki hello again'
docker compose stop bot
[ "$(inspect '{{.State.ExitCode}}')" = 0 ] || fail "it ended with $(inspect '{{.State.ExitCode}}')"
ok 'a stop exits with 0'
