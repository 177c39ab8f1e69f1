import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { startDiscord } from '@kikimimi/discord/testing'
import { startSlack } from '@kikimimi/slack/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = import.meta.dirname
// As `npm start` runs it.
const { kikimimi }: { kikimimi: { flags: string[] } } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// Its data folder is where it is started.
let folder: string
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/bot-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The bot of this repository, with these environment variables and no others. */
function start(env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const args = [...kikimimi.flags, join(root, 'packages/cli/cli.ts'), 'start', '--config', join(root, 'bot.config.ts')]
  return spawn(process.execPath, args, { cwd: folder, env })
}

async function talk(said: string, env: NodeJS.ProcessEnv = {}) {
  const bot = start(env)
  bot.stdin.end(said)
  const [out, err, [code]] = await Promise.all([text(bot.stdout), text(bot.stderr), once(bot, 'exit')])
  return { out, err, code }
}

describe('the bot of this repository', () => {
  it('has the right types', async () => {
    const project = join(folder, 'tsconfig.json')
    await writeFile(project, JSON.stringify({ extends: '../../tsconfig.json', include: ['../../bot.config.ts'] }))
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--project', project]
    await expect(promisify(execFile)(process.execPath, tsc)).resolves.toMatchObject({ stdout: '' })
  })

  it('needs nothing: it answers who calls it, with the offline model', async () => {
    const { out, err, code } = await talk('alice: the train leaves at ten\nbob: @kiki when does the train leave?\n')
    expect(out).toMatch(/^kiki: .*the train leaves at ten.*\n$/)
    expect(err).toContain('This is the offline model')
    expect(err).toContain('Memory finds shared words only')
    expect(code).toBe(0)
  })

  it('speaks Japanese', async () => {
    const { out, err, code } = await talk('花子: キキ、こんにちは\n', { BOT_LOCALE: 'ja' })
    expect(out).toMatch(/^kiki: .*こんにちは.*\n$/)
    expect(err).toContain('オフラインモデル')
    expect(err).toContain('記憶は同じ言葉だけで探します')
    expect(code).toBe(0)
  })

  it('goes by another name', async () => {
    const { out } = await talk('alice: mimi, hello\n', { BOT_NAME: 'mimi' })
    expect(out).toMatch(/^mimi: .+\n$/)
  })

  it('takes its words from a model of Ollama’s', async () => {
    const asked: unknown[] = []
    const ollama = createServer(async (request, response) => {
      const body = await json(request)
      if (request.url === '/api/embed') return void response.end(JSON.stringify({ embeddings: [[1, 0]] }))
      asked.push([request.url, body])
      const line = { model: 'tiny', created_at: '2026-01-05T10:00:00Z', message: { role: 'assistant', content: 'At ten.' } }
      response.end(`${JSON.stringify({ ...line, done: true, prompt_eval_count: 9, eval_count: 3 })}\n`)
    })
    await once(ollama.listen(0, '127.0.0.1'), 'listening')
    const { port } = ollama.address() as AddressInfo
    try {
      const env = { OLLAMA_MODEL: 'tiny', OLLAMA_BASE_URL: `http://127.0.0.1:${port}` }
      const { out, err } = await talk('bob: @kiki when does the train leave?\n', env)
      expect(out).toBe('kiki: At ten.\n')
      expect(err).not.toContain('offline model')
      expect(err).not.toContain('no model makes vectors')
      expect(asked).toEqual([['/api/chat', expect.objectContaining({ model: 'tiny' })]])
      expect(JSON.stringify(asked)).toContain('when does the train leave?')
    } finally {
      ollama.close()
    }
  })

  it('ends in order when it is told to', async () => {
    const bot = start({})
    const exit = once(bot, 'exit')
    for await (const chunk of bot.stderr) if (String(chunk).includes('listening')) bot.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('takes part in Discord and in Slack when it is given their tokens, and leaves both when it ends', async () => {
    await using discord = await startDiscord()
    await using slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
    const bot = start({
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
    })
    const exit = once(bot, 'exit')
    for await (const chunk of bot.stderr) {
      if (!String(chunk).includes('"listening"')) continue
      discord.say({ author: 'alice', text: '@kiki hello' })
      await slack.say({ author: 'bob', channel: 'general', text: 'キキ、こんにちは' })
      await discord.until(() => discord.posted.length === 1 && slack.posted.length === 1)
      bot.kill('SIGTERM')
    }
    expect(await exit).toEqual([0, null])
    expect([discord.posted, slack.posted]).toMatchObject([
      [{ text: 'Hello, alice!' }],
      [{ channel: 'general', text: expect.stringContaining('こんにちは') }],
    ])
    expect([discord.online, slack.connected]).toEqual([0, false])
  })
})
