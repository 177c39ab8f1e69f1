# Files that are edited in the mounted folder arrive without a restart, and a broken one changes nothing.
fresh </dev/null
started=$(inspect '{{.State.StartedAt}}')
before=$(lines)
# As an editor saves: a new file takes the place of the old one.
edit() { # edit FILE SED-SCRIPT
  sed "$2" "$1" >"$1.new"
  mv "$1.new" "$1"
}
edit bot.config.ts "s/names: \[/names: ['momo', /"
wait_for 15 'the change of bot.config.ts does not arrive' logged "$before" 'persona applied'
ask 'alice: momo, hello' '^kiki: '
ok 'a change of bot.config.ts arrives'

before=$(lines)
mkdir -p prompts/reply/en
printf '{{persona}}\n\nAnswer.\n' >prompts/reply/en/reply.system.md
wait_for 15 'a prompt does not arrive' logged "$before" 'reply restarted'
before=$(lines)
echo x >prompts/reply/en/no-such.md
wait_for 15 'a prompt that replaces none is not refused' logged "$before" 'no-such.md replaces no prompt'
rm prompts/reply/en/no-such.md
ok 'a prompt arrives, and one that replaces none is refused'

before=$(lines)
echo 'export default {' >>bot.config.ts
wait_for 15 'a broken file is not reported' logged "$before" 'is not applied, and the bot runs on unchanged'
ask 'alice: momo, are you there?' '^kiki: '
before=$(lines)
edit bot.config.ts '$d'
wait_for 15 'the mended file is not read' logged "$before" 'no change'
ok 'a broken bot.config.ts leaves the bot as it was'

before=$(lines)
mkdir -p plugins-of-mine
echo "import { definePlugin } from 'kikimimi'
export default definePlugin({ name: 'parrot', setup: () => ({ respond: () => ({ kind: 'text', text: 'squawk' }) }) })" >plugins-of-mine/parrot.ts
edit bot.config.ts "1i import parrot from './plugins-of-mine/parrot.ts'
s/^    reply(),/    parrot(), reply(),/"
wait_for 15 'a plugin of the folder does not arrive' logged "$before" 'parrot started'
ask 'alice: @kiki hello' squawk
before=$(lines)
edit plugins-of-mine/parrot.ts 's/squawk/polly/'
wait_for 15 'a change of the plugin does not arrive' logged "$before" 'parrot restarted'
ask 'alice: @kiki hello' polly
[ "$(inspect '{{.State.StartedAt}} {{.RestartCount}}')" = "$started 0" ] || fail 'the bot was restarted'
ok 'a plugin of the folder arrives, and its change, all without a restart'
rm -rf plugins-of-mine
