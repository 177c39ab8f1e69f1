/** The page of the dashboard: the sources, and what was found for which question. */
import { type Awaitable, type Locale, MessageLog, type PluginContext, service } from 'kikimimi'
import { latestQuestions, type ShownQuestion } from './asked.ts'
import { statesOf } from './status.ts'
import { texts } from './texts.ts'

/** The part of the service of @kikimimi/dashboard that is used here, so that a bot without a dashboard needs no package for it. */
export interface Panel {
  readonly id: string
  readonly title: string
  read(): Awaitable<readonly { title?: string; text?: string; rows?: Record<string, string | number>[] }[]>
}

interface Panels {
  add(panel: Panel): () => void
}

export const Panels = service<Panels>('panels', '@kikimimi/dashboard')

/** Questions on the page. */
const SHOWN = 50

export function addPanel(panels: Panels, { db, bot, use }: Pick<PluginContext, 'bot' | 'db' | 'use'>): () => void {
  const log = use(MessageLog)
  const say = texts(bot.locale)
  return panels.add({
    id: 'knowledge',
    title: say('panel'),
    async read() {
      const sources = (await statesOf(db)).map(({ name, documents, passages, unreadable, problem }) => ({
        [say('panel.source')]: name,
        [say('panel.documents')]: documents,
        [say('panel.passages')]: passages,
        [say('panel.unreadable')]: unreadable,
        [say('panel.problem')]: problem ?? '',
      }))
      const asked = questionsOf(await latestQuestions(db, log, SHOWN), bot.locale)
      return [
        { title: say('panel.sources'), rows: sources },
        { title: say('panel.questions'), ...(asked.length > 0 ? { rows: asked } : { text: say('panel.none') }) },
      ]
    },
  })
}

function questionsOf(questions: readonly ShownQuestion[], locale: Locale): Record<string, string>[] {
  const say = texts(locale)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
  return questions.map(({ at, text, isPublic, found }) => {
    const places = found.map(({ place, relevance }) => `${place} (${Math.round(100 * relevance)} %)`)
    const cited = found.flatMap(({ place, cited }) => (cited ? place : []))
    return {
      [say('panel.at')]: time.format(at),
      [say('panel.question')]: text ?? say(isPublic ? 'panel.gone' : 'panel.private'),
      [say('panel.found')]: places.join('\n') || say('panel.nothing'),
      [say('panel.cited')]: cited.join('\n'),
    }
  })
}
