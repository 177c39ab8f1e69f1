/** An ngIRCd on loopback. */
import { freePort } from 'kikimimi/testing'
import { type Ircd, programAt, startIrcd } from './ircd.ts'

export const ngircdProgram = () => programAt('ngircd')

export interface ServerOptions {
  /** Default: a free one. */
  readonly port?: number
  /** The number of the server in its network. Default: 1. */
  readonly number?: number
  /** The port of the other server of the network. */
  readonly peer?: number
}

const nameOf = (number: number) => `irc${number}.test.net`

export async function startNgircd(program: string, options: ServerOptions = {}): Promise<Ircd> {
  const { port = await freePort(), number = 1, peer } = options
  const other = number === 1 ? 2 : 1
  const link =
    peer === undefined
      ? ''
      : `[Server]
Name = ${nameOf(other)}
MyPassword = link
PeerPassword = link
${number === 2 ? `Host = 127.0.0.1\nPort = ${peer}` : ''}
`
  const config = `[Global]
Name = ${nameOf(number)}
Info = a test
Listen = 127.0.0.1
Ports = ${port}
Network = TestNet
MotdPhrase = welcome
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 30
MaxPenaltyTime = 0
ConnectRetry = 5
[Options]
DNS = no
Ident = no
PAM = no
[Channel]
Name = #general
Modes = n
[Channel]
Name = #staff
Modes = sn
${link}`
  // As root it takes another user, which cannot read the folder otherwise.
  return startIrcd(
    { program, port },
    () => config,
    path => ['-n', '-f', path],
  )
}
