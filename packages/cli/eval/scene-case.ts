/** A scene of one situation as a case: the bot decides about its last line. */
import { type Case, checksOf, type Line, type Metered, openStage, outcomeOf, type Stage } from '@kikimimi/replay/eval'
import type { Person } from 'kikimimi'
import type { Scene } from './scenes.ts'

/** Opens a stage for a configuration, which all its scenes share. */
export type Stages = (...of: Parameters<Case['run']>) => Promise<Stage>

/** Monday. */
const BEGIN = new Date('2026-01-05T10:00:00Z')

/** Scenes are apart by this time, and their lines by that. */
const BETWEEN = 60 * 60_000
const APART = 20_000

/** Starts one bot for each configuration: a start takes longer than a scene. */
export function sharedStages(scope: AsyncDisposableStack): Stages {
  const stages = new Map<Metered, Promise<Stage>>()
  return (configuration, metered) => {
    const known = stages.get(metered) ?? openStage(configuration, metered, { begin: BEGIN, platform: 'scene' })
    if (!stages.has(metered)) scope.defer(async () => (await known)[Symbol.asyncDispose]())
    stages.set(metered, known)
    return known
  }
}

export function sceneCase(kind: string, { name, locale, talk, ...expected }: Scene, stages: Stages): Case {
  return {
    name: `${name} (${locale})`,
    kind,
    async run(configuration, metered) {
      const stage = await stages(configuration, metered)
      const me = { id: 'bot', name: configuration.config.persona.name }
      const begin = stage.now().getTime() + BETWEEN
      const lines = talk.map(([author, text], at) =>
        lineOf(author, text, { me, id: `${kind} ${name} ${at}`, at: begin + at * APART }),
      )
      const channel = `${kind} ${name}`
      const played = await stage.play({
        // A workspace of its own: what people say in one scene is not known in another.
        conversation: { platform: 'scene', workspace: channel, channel, name: 'general', visibility: 'public' },
        me,
        history: lines.slice(0, -1),
        batch: lines.slice(-1),
      })
      return outcomeOf(played, checksOf(played, expected))
    },
  }
}

function lineOf(
  author: string,
  text: string,
  { me, id, at }: { readonly me: Person; readonly id: string; readonly at: number },
): Line {
  const named = (given: string) => given.replaceAll('{{bot}}', me.name)
  const mentions = [...text.matchAll(/@(\{\{bot\}\}|[\p{L}\p{N}_-]+)/gu)].map(([, name = '']) =>
    name === '{{bot}}' ? me : { id: name, name },
  )
  const by = author === '{{bot}}' ? me : { id: author, name: author }
  return { id, author: by, text: named(text), at: new Date(at), mentions }
}
