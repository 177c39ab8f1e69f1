/** A turn in detail: messages and answer first, then how it came about. */
import { durationOf, fullTime, numberOf, shownName } from '../base/format.js'
import { html } from '../base/html.js'
import { reasonIn, say } from '../base/words.js'
import { Prompts } from './prompts.js'
import { Stages, stageName } from './stages.js'
import { outcomeOf, reasonOf, spoke, useNow } from './verdict.js'
import { Waterfall } from './waterfall.js'

/**
 * @typedef {import('../../history/views.ts').TurnView} Turn
 * @typedef {import('../../history/views.ts').MessageView} Message
 */

/** @param {{ turn: Turn }} props */
export function Trace({ turn }) {
  const { trace, messages } = turn
  const now = useNow(trace)
  const { score, sections, surroundings, models, tools = [], notes = [], problems } = trace
  return html`<article class="trace">
    <p class="headline">
      <b class=${spoke(trace) ? 'kind spoke' : 'kind'}>${outcomeOf(trace, now)}</b>
      <span>${reasonOf(trace)}</span>
      <time class="faint" datetime=${trace.at}>${fullTime(trace.at)}</time>
    </p>

    <h3>${say('said')}</h3>
    <${Said} messages=${messages} trigger=${trace.trigger} />
    ${trace.addressed && html`<p class="faint">${calledBy(trace.addressed)}</p>`}
    <${Answer} turn=${turn} now=${now} />

    <${Stages} trace=${trace} />
    <${Waterfall} trace=${trace} />

    ${score && html`<h3>${say('score')}</h3><${Score} score=${score} />`}
    ${trace.decision && html`<h3>${say('decision')}</h3><${Decision} trace=${trace} />`}
    ${sections.length > 0 && html`<h3>${say('knew')}</h3><${Sections} sections=${sections} />`}
    ${surroundings && html`<p class="faint">${say('around', { earlier: numberOf(surroundings.earlier), quoted: numberOf(surroundings.quoted), requests: numberOf(surroundings.requests) })}${surroundings.problem && ` · ${surroundings.problem}`}</p>`}
    ${models.length > 0 && html`<h3>${say('models')}</h3><${Models} models=${models} /><${Prompts} key=${trace.turn} turn=${trace.turn} models=${models} />`}
    ${tools.length > 0 && html`<p class="faint">${say('toolsCalled', { tools: tools.join(', ') })}</p>`}
    ${notes.map(({ plugin, text }) => html`<p class="faint">${plugin} · ${text}</p>`)}

    ${
      problems.length > 0 &&
      html`<h3>${say('problems')}</h3>
        <ul class="problems">
          ${problems.map(({ plugin, stage, message }) => html`<li>${say('problem', { plugin, stage: stageName(stage), message })}</li>`)}
        </ul>`
    }
    <${Ids} trace=${trace} />
  </article>`
}

/** What was sent, or why nothing was. @param {{ turn: Turn, now: number }} props */
function Answer({ turn: { trace, said }, now }) {
  const { reply } = trace
  return html`<h3>${say('answer')}</h3>
    ${said.length > 0 && html`<${Said} messages=${said} />`}
    ${said.length === 0 && html`<p class="faint">${reply?.kind === 'reaction' && spoke(trace) ? say('reactedWith') : say('nothingSent')}</p>`}
    ${reply && html`<p class="faint">${reply.kind === 'text' ? say('writtenBy', { plugin: reply.plugin, n: numberOf(reply.length) }) : say('chosenBy', { plugin: reply.plugin })}</p>`}
    ${
      trace.why &&
      html`<p class="kept-back"><b>${outcomeOf(trace, now)}</b>${say('colon')}${reasonIn(trace.why)}${trace.by && html` <span class="faint">${say('decidedBy', { plugin: trace.by })}</span>`}</p>`
    }`
}

/** @param {{ messages: readonly Message[], trigger?: string }} props */
function Said({ messages, trigger }) {
  if (messages.length === 0) return html`<p class="faint">${say('notKept')}</p>`
  return html`<ul class="said">
    ${messages.map(
      ({ id, author, text, deleted }) => html`<li key=${id} class=${id === trigger && messages.length > 1 ? 'trigger' : ''}>
        <b>${shownName(author.name)}</b> ${deleted ? html`<i class="faint">${say('deletedMessage')}</i>` : text}
      </li>`,
    )}
  </ul>`
}

/** @param {{ score: NonNullable<Turn['trace']['score']> }} props */
function Score({ score: { points, parts } }) {
  return html`<ul class="score">
    ${parts.length === 0 && html`<li class="faint">${say('noScore')}</li>`}
    ${parts.map(
      part => html`<li>
        <span class="part-why">${reasonIn(part.why)} <span class="faint">${part.plugin}</span></span>
        <span class="part-points">${part.points > 0 ? '+' : ''}${part.points}</span>
        <span class=${`bar ${part.points < 0 ? 'against' : ''}`} aria-hidden="true"><i style=${{ width: `${Math.min(100, Math.abs(part.points))}%` }}></i></span>
      </li>`,
    )}
    <li class="total"><span class="part-why">${say('scoreOf', { n: points })}</span></li>
  </ul>`
}

/** @param {{ trace: Turn['trace'] }} props */
function Decision({ trace: { decision } }) {
  if (!decision) return null
  const delayMs = 'delayMs' in decision ? decision.delayMs : undefined
  const notes = [
    decision.plugin && say('decidedBy', { plugin: decision.plugin }),
    decision.confidence !== undefined && say('sure', { n: Math.round(decision.confidence * 100) }),
    delayMs && say('waits', { n: numberOf(delayMs / 1_000) }),
  ].filter(Boolean)
  return html`<p>
    <b>${say(decision.kind === 'react' ? 'react1' : decision.kind)}</b> — ${reasonIn(decision.why)}
    ${notes.length > 0 && html` <span class="faint">${notes.join(' · ')}</span>`}
  </p>`
}

/** @param {{ sections: Turn['trace']['sections'] }} props */
function Sections({ sections }) {
  return html`<ul class="sections">
    ${sections.map(
      ({ title, plugin, tokens, kept }) => html`<li class=${kept ? '' : 'dropped'}>
        <span>${title} <span class="faint">${plugin}</span></span>
        <span class="faint">${kept ? say('tokens', { n: numberOf(tokens) }) : `${say('tokens', { n: numberOf(tokens) })} · ${say('dropped')}`}</span>
      </li>`,
    )}
  </ul>`
}

/** @param {{ models: Turn['trace']['models'] }} props */
function Models({ models }) {
  return html`<ul class="sections">
    ${models.map(
      ({ role, model, inputTokens, outputTokens, ms, attempts, cost, error }) => html`<li>
        <span>${model} <span class="faint">${role}</span>${error && html`<br /><span class="danger">${error}</span>`}</span>
        <span class="faint">
          ${numberOf(inputTokens)} → ${say('tokens', { n: numberOf(outputTokens) })} · ${durationOf(ms)}
          ${attempts > 1 && ` · ${say('attempts', { n: attempts })}`}${cost !== undefined && ` · ${numberOf(cost, { maximumSignificantDigits: 3 })}`}
        </span>
      </li>`,
    )}
  </ul>`
}

/** Ids for the log, the database and `kikimimi why`. @param {{ trace: Turn['trace'] }} props */
function Ids({ trace: { turn, conversation, messages, trigger, answers = [], sent } }) {
  /** @type {[import('../base/words.js').Word, readonly string[]][]} */
  const rows = [
    ['idTurn', [turn]],
    ['idPlace', [conversation]],
    ['idMessages', messages],
    ['idTrigger', [trigger]],
    ['idAnswers', answers],
    ['idSent', sent],
  ]
  return html`<details class="ids">
    <summary>${say('ids')}</summary>
    <dl>${rows.map(([word, ids]) => ids.length > 0 && html`<dt key=${word}>${say(word)}</dt><dd>${ids.join(' ')}</dd>`)}</dl>
  </details>`
}

/** @param {NonNullable<Turn['trace']['addressed']>} how */
function calledBy(how) {
  /** @type {Record<typeof how, import('../base/words.js').Word>} */
  const words = {
    mention: 'calledByMention',
    reply: 'calledByReply',
    name: 'calledByName',
    direct: 'calledByDirect',
    command: 'calledByCommand',
  }
  return say(words[how])
}
