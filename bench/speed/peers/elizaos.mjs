// ElizaOS with its database plugin (PGlite in a folder), its bootstrap plugin, and models that answer at once.
import { AgentRuntime, ChannelType, ModelType, stringToUuid } from '@elizaos/core'
import bootstrap from '@elizaos/plugin-bootstrap'
import sql, { createDatabaseAdapter, DatabaseMigrationService } from '@elizaos/plugin-sql'

const MESSAGES = 50
const DIMENSIONS = 384

let calls = 0
let characters = 0
function answer(_runtime, { prompt }) {
  calls++
  characters += prompt.length
  const action = prompt.includes('Decide on behalf of') ? 'IGNORE' : 'REPLY'
  return `<response><thought>-</thought><reasoning>-</reasoning><action>${action}</action><actions>REPLY</actions><text>hello</text></response>`
}
const models = {
  name: 'models',
  description: 'Answer at once.',
  models: {
    [ModelType.TEXT_SMALL]: answer,
    [ModelType.TEXT_LARGE]: answer,
    [ModelType.TEXT_EMBEDDING]: () => Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at)),
  },
}

const agentId = stringToUuid('kiki')
const adapter = createDatabaseAdapter({ dataDir: process.argv[2] }, agentId)
await adapter.init()
const migrations = new DatabaseMigrationService()
await migrations.initializeWithDatabase(adapter.getDatabase())
migrations.discoverAndRegisterPluginSchemas([sql])
await migrations.runAllPluginMigrations()
const character = { name: 'kiki', bio: ['a bot'] }
const runtime = new AgentRuntime({ agentId, adapter, character, plugins: [sql, bootstrap, models] })
await runtime.initialize()

const [alice, general, team] = ['alice', 'general', 'team'].map(name => stringToUuid(name))
const place = { source: 'bench', channelId: 'general', serverId: team, messageServerId: team, type: ChannelType.GROUP }
await runtime.ensureConnection({ entityId: alice, roomId: general, worldId: team, userName: 'alice', name: 'alice', ...place })

let count = 0
async function say(text, mentionContext) {
  const replies = []
  const content = { text, source: 'bench', channelType: ChannelType.GROUP, ...(mentionContext && { mentionContext }) }
  const message = { id: stringToUuid(`m${count++}`), entityId: alice, roomId: general, worldId: team, agentId, content }
  await runtime.messageService.handleMessage(runtime, { ...message, createdAt: Date.now() }, async reply => {
    // It is called for ignored messages too, without a text.
    if (reply.text) replies.push(reply.text)
    return []
  })
  return replies
}

const [reply] = await say('@kiki hello', { isMention: true })
if (reply !== 'hello') throw new Error(`no answer, but ${reply}`)
// Since the process began.
const startToAnswerMs = Math.round(performance.now())

const rss = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
const start = rss()
calls = 0
characters = 0
const times = []
for (let at = 0; at < MESSAGES; at++) {
  const begun = performance.now()
  const replies = await say(`the build is green again ${at}`)
  if (replies.length > 0) throw new Error(`it answered ${replies}`)
  times.push(performance.now() - begun)
}
times.sort((a, b) => a - b)
const at = share => Math.round(times[Math.floor(share * MESSAGES)])
const ignored = {
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  modelCalls: calls / MESSAGES,
  promptCharacters: Math.round(characters / MESSAGES),
}
console.log(`\n${JSON.stringify({ startToAnswerMs, ignored, rssMb: { start, after: rss() } })}`)
process.exit()
