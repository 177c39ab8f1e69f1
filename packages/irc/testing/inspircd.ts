/** An InspIRCd on loopback, with the history of channels, forwards to other channels, and the tags of IRCv3. */
import { freePort } from 'kikimimi/testing'
import { type Ircd, programAt, startIrcd } from './ircd.ts'

export const inspircdProgram = () => programAt('inspircd')

/** https://docs.inspircd.org/3/configuration/ */
export async function startInspircd(program: string): Promise<Ircd> {
  const port = await freePort()
  const modules = ['cap', 'ircv3_batch', 'ircv3_servertime', 'ircv3_ctctags', 'ircv3_msgid', 'chanhistory', 'redirect']
  const config = (folder: string) =>
    `<config format="xml">
<server name="irc.test.net" description="a test" network="TestNet" id="1AA">
<admin name="a" nick="a" email="a@test.net">
<bind address="127.0.0.1" port="${port}" type="clients">
<connect name="all" allow="*" localmax="100" globalmax="100" maxchans="20" timeout="1m" pingfreq="10m" threshold="100000" commandrate="100000" softsendq="1M" hardsendq="1M" recvq="1M" fakelag="no">
<performance clonesonconnect="no" nouserdns="yes">
<path datadir="${folder}" logdir="${folder}" runtimedir="${folder}">
<pid file="${folder}/ircd.pid">
${modules.map(name => `<module name="${name}">`).join('\n')}
<chanhistory maxlines="50" bots="yes">
<log method="file" type="*" level="default" target="ircd.log">
`
  return startIrcd({ program, port }, config, path => [`--config=${path}`, '--nofork', '--runasroot'])
}
