/**
 * A Discord on this machine for bots in containers. While the file `talk` is in the folder, people talk in four channels and call the bot with
 * every fifth message. Afterwards `discord.done` has the counts, when each call has an answer.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDiscord } from '@kikimimi/discord/testing'

const HOST = 'host.docker.internal'
const CHANNELS = ['one', 'two', 'three', 'four']
const folder = process.argv[2] ?? '.'
const inFolder = (name: string) => join(folder, name)

function write(name: string, content: object): void {
  writeFileSync(inFolder(`${name}.part`), JSON.stringify(content))
  renameSync(inFolder(`${name}.part`), inFolder(name))
}

await using discord = await startDiscord({ guilds: [{ name: 'team', channels: CHANNELS }] })
const port = Number(new URL(discord.apiUrl).port)

// The emulator answers on the loopback address; containers come through this door, which is also in the address of the gateway.
const door = createServer((incoming, outgoing) => {
  const { method, headers, url: path } = incoming
  const passed = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, 'accept-encoding': 'identity' } })
  passed.on('response', async answer => {
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('latin1').replaceAll(`127.0.0.1:${port}`, `${HOST}:${own}`)
    const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, rest).end(Buffer.from(body, 'latin1'))
  })
  passed.on('error', () => outgoing.destroy())
  incoming.pipe(passed)
})
door.on('upgrade', ({ url, rawHeaders }, socket, head) => {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`]))
  const inner = connect(port, '127.0.0.1', () => inner.write([`GET ${url} HTTP/1.1`, ...pairs, '', ''].join('\r\n')))
  inner.write(head)
  for (const one of [socket, inner]) one.on('error', () => [socket, inner].map(each => each.destroy()))
  socket.pipe(inner).pipe(socket)
})
await new Promise<void>(resolve => door.listen(0, '0.0.0.0', resolve))
const { port: own } = door.address() as AddressInfo
write('discord.json', { token: discord.token, apiUrl: `http://${HOST}:${own}/api` })

while (!existsSync(inFolder('talk'))) await pause(200)
let said = 0
const calls: number[] = []
while (existsSync(inFolder('talk'))) {
  said++
  const [isCall, channel] = [said % 5 === 0, CHANNELS[said % CHANNELS.length] ?? '']
  discord.say({
    author: isCall ? 'alice' : 'bob',
    channel,
    text: isCall ? `@kiki hello, number ${said}` : `tea ${said}`,
  })
  if (isCall) calls.push(said)
  await pause(400)
}
const answers = () => calls.map(number => discord.posted.filter(({ text }) => text === `re number ${number}`).length)
while (answers().some(count => count === 0)) {
  write('discord.json', { waiting: calls.filter((_, at) => answers()[at] === 0) })
  await pause(500)
}
// Time for an answer that is one too many.
await pause(10_000)
const [answered, twice] = [answers().filter(count => count === 1).length, answers().filter(count => count > 1).length]
write('discord.done', { said, calls: calls.length, answered, twice, bot: discord.bot.id })
door.closeAllConnections()
door.close()
