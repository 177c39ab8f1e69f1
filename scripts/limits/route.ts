/**
 * The way of one message through core: the files in which functions begin, in order. Every function of core/ is made to report that it
 * begins, while a real bot (embedded database in memory, judge-rules, reply, the offline model) answers messages that address it.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What a way costs a reader. */
export interface Way {
  readonly files: number
  /** How often it goes back to a file that it had left. */
  readonly returns: number
}

/** The files and returns of a list of entries. */
export function wayOf(entries: readonly string[]): Way {
  const changes = entries.filter((file, at) => file !== entries[at - 1])
  const files = new Set(changes).size
  return { files, returns: changes.length - files }
}

/** The code, with a call of the global function `entered` at the beginning of every function. */
export function instrument(file: string, code: string): string {
  const call = `entered(${JSON.stringify(file)})`
  const edits: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined
    if (!body) return
    if (ts.isBlock(body)) edits.push({ at: body.getStart() + 1, text: `${call};` })
    else edits.push({ at: body.getStart(), text: `(${call},(` }, { at: body.end, text: '))' })
  }
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true))
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code)
}

/** Messages whose ways are compared. */
const MESSAGES = 5

/**
 * The entries of the shortest way of some messages. Each has a conversation of its own, because a longer history makes a longer way.
 * Timers of the process can come in between, so the figures of two runs differ by a few.
 */
export async function routeOfMessage(): Promise<readonly string[]> {
  let entries: string[] = []
  Object.assign(globalThis, { entered: (file: string) => void entries.push(file) })
  registerHooks({
    load(url, context, next) {
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : ''
      if (!/^core\/.*\.ts$/.test(file) || /\.test\.ts$|\/testing\//.test(file)) return next(url, context)
      const source = stripTypeScriptTypes(instrument(file, readFileSync(fileURLToPath(url), 'utf8')))
      return { format: 'module', source, shortCircuit: true }
    },
  })
  const { definePlugin, startBot } = await import('kikimimi')
  const { definePlatform } = await import('kikimimi/platform')
  const { default: judgeRules } = await import('@kikimimi/judge-rules')
  const { default: reply } = await import('@kikimimi/reply')
  const { offline } = await import('@kikimimi/offline')

  let receive: ((id: string) => Promise<void>) | undefined
  const place = definePlatform({
    name: 'place',
    setup(ctx) {
      const place = { platform: 'place', workspace: 'w', name: 'c', visibility: 'public' } as const
      const mentions = [{ id: 'bot', name: 'kiki' }]
      const author = { id: 'u', name: 'alice' }
      receive = id =>
        ctx.receive({
          id,
          conversation: { ...place, channel: id },
          author,
          text: 'kiki, when does the train leave?',
          at: new Date(),
          mentions,
        })
      let sent = 0
      const send = async () => ({ id: `s${sent++}` })
      return { platform: { name: 'place', me: { id: 'bot', name: 'kiki' }, limits: { textLength: 2_000 }, send } }
    },
  })
  let ended = Promise.withResolvers<string>()
  const last = definePlugin({ name: 'last', setup: () => ({ after: (_turn, { outcome }) => ended.resolve(outcome) }) })
  await using _bot = await startBot(
    { persona: { name: 'kiki' }, database: 'memory', plugins: [place(), judgeRules(), reply(), last()] },
    { env: { LOG_LEVEL: 'error' }, serves: false, defaultModel: offline() },
  )
  const ways: (readonly string[])[] = []
  // The first message of a process does more: it is not counted.
  for (let message = 0; message <= MESSAGES; message++) {
    entries = []
    ended = Promise.withResolvers()
    await receive?.(`m${message}`)
    const outcome = await ended.promise
    if (outcome !== 'replied') throw new Error(`The message was not answered: ${outcome}.`)
    if (message > 0) ways.push(entries)
    // What follows the turn ends before the next message.
    await new Promise(done => setTimeout(done, 50))
  }
  // The stop of the bot belongs to no message.
  entries = []
  return ways.toSorted((a, b) => wayOf(a).returns - wayOf(b).returns)[0] ?? []
}
