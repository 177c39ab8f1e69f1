import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readChatLog, readUpload } from './chat-log.ts'

type Files = Readonly<Record<string, unknown>>

const bytes = (content: unknown) => Buffer.from(typeof content === 'string' ? content : JSON.stringify(content, null, 2))

/** The lines of an export that consists of these files. With `zipped`, they are in an archive, in a folder of their own. */
async function linesIn(files: Files, { zipped = false, alter = (zip: Buffer) => zip } = {}) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
  const path = join(folder.path, zipped ? 'export.zip' : 'export')
  if (zipped) await writeFile(path, alter(zipOf(files)))
  else
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), bytes(content))
    }
  return await Array.fromAsync(readChatLog(path))
}

async function discordLines(content: unknown) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
  await writeFile(join(folder.path, 'tea.json'), bytes(content))
  return await Array.fromAsync(readChatLog(join(folder.path, 'tea.json')))
}

const slack: Files = {
  'channels.json': [{ id: 'C1', name: 'general' }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'mpims.json': [{ id: 'G1', name: 'mpdm-alice--bob-1' }],
  'users.json': [
    { id: 'U1', name: 'alice', profile: { display_name: 'Alice', real_name: 'Alice Liddell' } },
    { id: 'U2', name: 'bob', profile: { display_name: '', real_name: 'Bob Dole' } },
    { id: 'U9', name: 'newsbot', is_bot: true },
  ],
  'general/2026-01-06.json': [
    { type: 'message', user: 'U2', text: 'at ten', ts: '1767690000.000200', thread_ts: '1767603600.000100' },
    { type: 'message', subtype: 'message_deleted', hidden: true, ts: '1767690002.000100', deleted_ts: '1767603602.000100' },
    {
      ...{ type: 'message', subtype: 'message_changed', hidden: true, ts: '1767690001.000100' },
      message: { user: 'U1', text: 'when does it &lt;leave&gt;, <@U2>?', ts: '1767603600.000100' },
    },
  ],
  'general/2026-01-05.json': [
    { type: 'message', subtype: 'channel_join', user: 'U2', text: '<@U2> has joined', ts: '1767603500.000100' },
    { type: 'message', user: 'U1', text: 'when?', ts: '1767603600.000100', thread_ts: '1767603600.000100' },
    {
      type: 'message',
      user: 'U9',
      bot_id: 'B9',
      text: 'see <https://a.example/x|the page> in <#C1|general>',
      ts: '1767603601.000100',
    },
    { type: 'message', user: 'U2', text: 'my password is 123', ts: '1767603602.000100' },
    { type: 'message', subtype: 'bot_message', bot_id: 'B7', username: 'deploys', text: '<!here> done', ts: '1767603603.000100' },
    { type: 'message', user: 'U5', text: 'hi', user_profile: { real_name: 'Guest' }, ts: '1767603604.000100' },
    { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', ts: '1767603605.000100' },
  ],
  'random/2026-01-05.json': [{ type: 'message', user: 'U1', text: 'elsewhere', ts: '1767603601.000100' }],
  'D1/2026-01-05.json': [{ type: 'message', user: 'U1', text: 'a secret', ts: '1767603601.000100' }],
  'mpdm-alice--bob-1/2026-01-05.json': [{ type: 'message', user: 'U1', text: 'a secret', ts: '1767603601.000100' }],
}

test('an export of Slack has its channels in the order of time, with threads, names, mentions, edits and bots', async () => {
  const lines = await linesIn(slack)
  const alice = { id: 'U1', name: 'Alice' }
  expect(lines).toEqual(
    [
      { id: 'general/1767603600.000100', author: alice, text: 'when does it <leave>, @Bob Dole?', mentions: ['U2'] },
      {
        ...{ id: 'general/1767603601.000100', author: { id: 'U9', name: 'newsbot', bot: true } },
        text: 'see https://a.example/x in #general',
      },
      { id: 'random/1767603601.000100', channel: 'random', author: alice, text: 'elsewhere' },
      { id: 'general/1767603603.000100', author: { id: 'B7', name: 'deploys', bot: true }, text: '@here done' },
      { id: 'general/1767603604.000100', author: { id: 'U5', name: 'Guest' }, text: 'hi' },
      {
        ...{ id: 'general/1767690000.000200', author: { id: 'U2', name: 'Bob Dole' }, text: 'at ten' },
        ...{ channel: 'general/1767603600.000100', replyTo: ['general/1767603600.000100'] },
      },
    ].map(line => ({
      ...{ channel: 'general', mentions: [], replyTo: [], context: false },
      ...{ at: new Date(Math.floor(Number(line.id.split('/')[1]) * 1_000)) },
      ...line,
    })),
  )
  expect(await linesIn(slack, { zipped: true })).toEqual(lines)
})

test.each<[string, Files, RegExp]>([
  ['a message without a time', { 'a/2026-01-05.json': [{ text: 'hi' }] }, /export, a\/2026-01-05\.json: 0\.ts: /],
  ['a day that is cut off', { 'a/2026-01-05.json': '[{"ts": "1.2", ' }, /export, a\/2026-01-05\.json: .*JSON/],
  ['users that are no list', { 'a/2026-01-05.json': [], 'users.json': {} }, /export, users\.json: .*array/],
  ['no messages', { 'users.json': [] }, /export: it has no messages of Slack: expected files such as general\/2026-01-05\.json/],
])('an export of Slack with %s is refused, with its place', async (_what, files, message) => {
  await expect(linesIn(files)).rejects.toMatchObject({ code: 'LOG_FILE_INVALID', message: expect.stringMatching(message) })
})

test.each<[string, (zip: Buffer) => Buffer, RegExp]>([
  ['is cut off', zip => zip.subarray(0, -40), /export\.zip: it is no complete zip archive/],
  ['is no archive', () => Buffer.from('hello'), /export\.zip: it is no complete zip archive/],
  ['lacks a part', zip => Buffer.concat([zip.subarray(0, -30), zip.subarray(-22)]), /list of files in the archive is damaged/],
  [
    'has a wrong byte',
    zip => Buffer.from(zip).fill('?', zip.indexOf('newsbot') - 1, zip.indexOf('newsbot')),
    /users\.json: .* damaged/,
  ],
  [
    'is too large',
    zip => Buffer.from(zip).fill(0xff, zip.length - 12, zip.length - 2),
    /too large: unpack it and give the folder/,
  ],
])('an archive that %s is refused', async (_what, alter, message) => {
  await expect(linesIn(slack, { zipped: true, alter })).rejects.toMatchObject({
    code: 'LOG_FILE_INVALID',
    message: expect.stringMatching(message),
  })
})

const said = (id: string, more: object = {}) => ({
  ...{ id, type: 'Default', timestamp: '2026-01-05T19:00:00.25+09:00', timestampEdited: null, content: 'hello' },
  ...{ author: { id: '1', name: 'alice', nickname: 'Alice', isBot: false }, mentions: [], ...more },
})
const discord = (messages: readonly unknown[]) => ({
  guild: { id: '9', name: 'Tea' },
  channel: { id: '8', type: 'GuildTextChat', name: 'kitchen' },
  messages,
})

test('an export of DiscordChatExporter has replies, mentions, last versions and bots, and leaves out notices', async () => {
  const lines = await discordLines(
    discord([
      said('10', { timestampEdited: '2026-01-05T19:01:00+09:00', content: 'when, @bob?', mentions: [{ id: '2', name: 'bob' }] }),
      said('11', { type: 'GuildMemberJoin' }),
      said('12', { type: 'Reply', author: { id: '2', name: 'bob' }, reference: { messageId: '10', channelId: '8' } }),
      said('13', { type: 'Reply', author: { id: '3', name: 'news', isBot: true }, reference: { messageId: null } }),
      said('14', { reference: { messageId: '77', channelId: '5' } }),
    ]),
  )
  const at = new Date('2026-01-05T10:00:00.250Z')
  const alice = { id: '1', name: 'Alice' }
  const usual = { at, channel: 'kitchen', text: 'hello', mentions: [], replyTo: [], context: false }
  expect(lines).toEqual([
    { ...usual, id: '10', author: alice, text: 'when, @bob?', mentions: ['2'] },
    { ...usual, id: '12', author: { id: '2', name: 'bob' }, replyTo: ['10'] },
    { ...usual, id: '13', author: { id: '3', name: 'news', bot: true } },
    // A forwarded message answers nothing.
    { ...usual, id: '14', author: alice },
  ])
})

test.each<[string, unknown, RegExp]>([
  [
    'is cut off',
    bytes(discord([said('10')]))
      .toString()
      .slice(0, -30),
    /tea\.json: .*JSON/,
  ],
  ['has no messages', { guild: {}, channel: { name: 'a' } }, /tea\.json: expected an export of DiscordChatExporter; messages: /],
  ['has a wrong time', discord([said('10'), said('11', { timestamp: 'noon' })]), /tea\.json, message 2: timestamp: /],
])('an export of DiscordChatExporter that %s is refused, with its place', async (_what, content, message) => {
  await expect(discordLines(content)).rejects.toMatchObject({
    code: 'LOG_FILE_INVALID',
    message: expect.stringMatching(message),
  })
})

/** Every second file is stored as it is, the others are deflated. */
test('an uploaded file is recognised by its content, and an archive may hold several exports of Discord', async () => {
  expect(await readUpload('export', zipOf(slack))).toEqual(await linesIn(slack, { zipped: true }))
  const exportOf = (name: string, at: string) => ({
    guild: { id: '1' },
    channel: { name },
    messages: [{ id: at, type: 'Default', timestamp: at, content: 'hello', author: { id: '1', name: 'alice' } }],
  })
  const files = { 'a.json': exportOf('tea', '2026-01-06T10:00:00Z'), 'b.json': exportOf('coffee', '2026-01-05T10:00:00Z') }
  const channels = (await readUpload('export.zip', zipOf(files))).map(({ channel }) => channel)
  expect(channels).toEqual(['coffee', 'tea'])
  await expect(readUpload('photos.zip', zipOf({ 'cat.jpg': 'meow' }))).rejects.toMatchObject({
    code: 'LOG_FILE_INVALID',
    message: expect.stringMatching(/^photos\.zip: it has no messages of Slack/),
  })
  await expect(readUpload('none.json', bytes({ ...exportOf('tea', ''), messages: [] }))).rejects.toThrow('it has no messages')
})

test('an uploaded archive that unpacks to more than 256 MB is refused before it is unpacked', async () => {
  const zip = zipOf(slack)
  const entry = zip.indexOf('PK\u0001\u0002')
  for (let at = entry; at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 1)) zip.writeUInt32LE(2 ** 29, at + 24)
  await expect(readUpload('bomb.zip', zip)).rejects.toThrow('the archive unpacks to more than 256 MB')
})

function zipOf(files: Files): Buffer {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [index, [path, content]] of Object.entries(files).entries()) {
    const name = Buffer.from(`tea export/${path}`)
    const raw = bytes(content)
    const method = index % 2 === 0 ? 8 : 0
    const data = method === 8 ? deflateRawSync(raw) : raw
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(crc32(raw), 16)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt32LE(raw.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, name, data)
    list.push(entry, name)
    at += local.length + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(list.length / 2, 10)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...list, end])
}
