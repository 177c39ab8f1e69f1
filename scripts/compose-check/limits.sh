# A process in the container that takes all memory, or all processes, does not end the bot.
fresh </dev/null
started=$(inspect '{{.State.StartedAt}}')
limits() { inspect '{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}}' "$1"; }
[ "$(limits "$bot"), $(limits "$postgres")" = '2147483648 256, 2147483648 512' ] || fail 'the limits are not set'
rc=0
in_bot node --max-old-space-size=8192 -e 'const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1))' >/dev/null 2>&1 || rc=$?
[ "$rc" = 137 ] || fail "a process that takes all memory ends with $rc"
get readyz || fail 'the bot is not ready after that'
ok 'a process that takes more than 2 GB is ended, and the bot goes on'

forked=$(in_bot sh -c 'for i in $(seq 400); do sleep 20 & done; wait' 2>&1 || true)
expect '400 processes' 'Cannot fork' "$forked"
[ "$(in_bot sh -c 'ls -d /proc/[0-9]* | wc -l' 2>/dev/null || echo 256)" -le 256 ] || fail 'more than 256 processes'
wait_for 60 'the bot is not ready after that' get readyz
ask 'alice: @kiki hello' '^kiki: '
[ "$(inspect '{{.State.StartedAt}} {{.RestartCount}}')" = "$started 0" ] || fail 'the bot was restarted'
ok '400 processes are not more than 256, and the bot goes on'
