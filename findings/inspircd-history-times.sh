#!/usr/bin/env bash
# InspIRCd 3.15.0 of Debian 12 with its modules chanhistory, ircv3_servertime and ircv3_msgid, heard with irc-framework 4.14.0.
# A good guess: the history that a channel replays to who joins has the tags of each message as they were sent at first, so that a message
# can be known again, and put in order, by its time. The server sends a time to the millisecond with each live message.
# Seen: in the replay, which the client gives out as an ordinary `privmsg` with the batch `chathistory`, the msgid is the same, and the time is
# another one: it is cut to the second.
set -euo pipefail
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work" # apt downloads as another user
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download inspircd=3.15.0-1
dpkg -x inspircd_*.deb .
npm init -y >/dev/null
npm install --silent --no-audit --no-fund irc-framework@4.14.0
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
cat >ircd.conf <<XML
<config format="xml">
<server name="irc.test.net" description="a test" network="TestNet" id="1AA">
<admin name="a" nick="a" email="a@test.net">
<bind address="127.0.0.1" port="$port" type="clients">
<connect name="all" allow="*" localmax="9" globalmax="9" maxchans="9" timeout="1m" pingfreq="10m" fakelag="no">
<performance clonesonconnect="no" nouserdns="yes">
<path moduledir="$work/usr/lib/inspircd/modules" datadir="$work" logdir="$work" runtimedir="$work">
<pid file="$work/ircd.pid">
<module name="cap">
<module name="ircv3_batch">
<module name="ircv3_servertime">
<module name="ircv3_ctctags">
<module name="ircv3_msgid">
<module name="chanhistory">
<log method="file" type="*" level="default" target="ircd.log">
XML
usr/sbin/inspircd --config="$work/ircd.conf" --nofork --runasroot >inspircd.out 2>&1 &
server=$!
cat >run.cjs <<'JS'
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Client } = require('irc-framework')

const port = Number(process.argv[2])
async function enter(nick) {
  const client = new Client()
  const heard = []
  client.on('privmsg', one => heard.push(one))
  for (let tries = 0; ; tries++) {
    client.connect({ host: '127.0.0.1', port, nick, auto_reconnect: false })
    const [[begun]] = [await Promise.race([once(client, 'registered'), once(client, 'close').then(() => [undefined])])]
    if (begun) break
    assert(tries < 50, 'the server does not begin')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  client.join('#general')
  await once(client, 'userlist')
  return { client, heard }
}
const until = async holds => {
  for (let tries = 0; !holds(); tries++) {
    assert(tries < 100, 'nothing was heard')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function main() {
  const alice = await enter('alice')
  alice.client.raw('MODE', '#general', '+H', '50:1h')
  const bob = await enter('bob')
  // Not at a whole second.
  await new Promise(resolve => setTimeout(resolve, (1_500 - (Date.now() % 1_000)) % 1_000))
  alice.client.say('#general', 'the meeting is at nine')
  await until(() => bob.heard.length === 1)
  const carol = await enter('carol')
  await until(() => carol.heard.length === 1)
  const shown = ({ time, tags, batch }) => ({ time, msgid: tags.msgid, batch: batch?.type })
  const [live, replayed] = [shown(bob.heard[0]), shown(carol.heard[0])]
  console.log({ live, replayed })
  assert(live.msgid)
  assert.notEqual(live.time % 1_000, 0)
  assert.equal(replayed.batch, 'chathistory')
  assert.equal(replayed.msgid, live.msgid)
  assert.equal(replayed.time, Math.floor(live.time / 1_000) * 1_000)
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error)
    process.exit(1)
  },
)
JS
node run.cjs "$port"
