# Daily backups, the drill, a full disk, and a restore into an empty database after which forgotten people stay forgotten.
KEY=$(docker compose run --rm --no-deps --no-TTY bot kikimimi backup --new-key 2>/dev/null | grep '^BACKUP_KEY=')
expect 'the new key' '^BACKUP_KEY=AGE-SECRET-KEY-1' "$KEY"
fresh "$KEY" <<'YAML'
volumes:
  backups:
    driver_opts: { type: tmpfs, device: tmpfs, o: "size=256k,uid=1000,gid=1000,mode=0700" }
YAML
wait_for 100 'no backup in the first minute' logged 0 'backed up to /backups'
kept=$(in_bot ls /backups)
in_bot sh -c 'cat /dev/zero > /backups/full' 2>/dev/null || true
if full=$(kiki backups now 2>&1); then fail "a full disk takes a backup: $full"; fi
expect 'a full disk' 'ENOSPC' "$full"
[ "$(in_bot ls /backups)" = "$(printf 'full\n%s' "$kept")" ] || fail "the backups before and after: $kept, $(in_bot ls /backups)"
get readyz || fail 'the bot is not ready with a full disk of backups'
ask 'alice: @kiki hello' '^kiki: '
in_bot rm /backups/full
expect 'backups now' '\.age' "$(kiki backups now)"
ok 'the daily backup is made; a full disk is an error that leaves no part behind and keeps the earlier backup, and the bot goes on'

fresh "$KEY" </dev/null
say 'alice: my cat is called Tama'
ask 'alice: @kiki remember that the spare key is under the blue pot' 'remember that\.'
ask 'mallory: @kiki remember that my bike is red' 'remember that\.'
expect 'backups now' '\.age' "$(kiki backups now)"
expect 'backups list' '\.age' "$(kiki backups list)"
in_bot sh -c 'head -c 14 /backups/*.age | grep age-encryption' >/dev/null || fail 'the backup is not encrypted'
expect drill 'checksums of all tables agree' "$(docker compose exec -T bot kikimimi drill)"
ok 'a backup is made, encrypted and verified, and the drill restores it'

(umask 077 && docker compose exec -T bot kikimimi backup --stdout >kikimimi.backup)
kiki forget mallory >/dev/null
wait_for 90 'the file of erased people is not written' in_bot test -s /backups/kikimimi.erased
if in_bot grep -i 'mallory\|bike' /backups/kikimimi.erased; then fail 'the file of erased people has words'; fi
restored() {
  expect 'the facts' 'under the blue pot' "$(kiki facts list)"
  expect 'the messages' 'called Tama' "$(kiki export 2>/dev/null)"
  if kiki export 2>/dev/null | grep -i 'bike' >/dev/null; then fail 'a forgotten person is back'; fi
  if kiki facts list | grep -i 'bike' >/dev/null; then fail 'a fact of a forgotten person is back'; fi
  ask 'alice: @kiki what is my cat called?' Tama
}
docker compose stop bot
refused=$(docker compose run --rm --no-TTY bot sh -c 'cat > /tmp/backup && kikimimi restore /tmp/backup' <kikimimi.backup 2>&1 || true)
expect 'a restore into a used database' 'Restore into an empty one' "$refused"
empty() { docker compose exec -T postgres psql --username kikimimi --dbname postgres --command "alter database kikimimi rename to $1" --command 'create database kikimimi' >/dev/null; }
empty before
docker compose run --rm --no-TTY bot sh -c 'cat > /tmp/backup && kikimimi restore /tmp/backup' <kikimimi.backup
docker compose start bot
wait_for 60 'the bot does not start' healthy
restored
ok 'a restore of a file brings facts and messages, and a forgotten person stays forgotten'

docker compose stop bot
empty before_that
docker compose run --rm --no-TTY bot kikimimi restore --newest
docker compose start bot
wait_for 60 'the bot does not start' healthy
restored
expect doctor 'ok rows: ' "$(kiki doctor)"
ok 'the same from the newest daily backup'
