/** An exported channel: when the bot would have spoken in it. */
import { fullTime, numberOf, shownName, timeOf } from '../base/format.js'
import { html, useEffect, useRef, useState } from '../base/html.js'
import { stream } from '../base/stream.js'
import { say } from '../base/words.js'
import { KINDS, Told, WORDS } from './result.js'

/** @typedef {import('../../tuning/views.ts').ImportView} Imported */

/** Number of messages at first, and per click. */
const SHOWN = 20

/** @param {{ bot: { name: string } }} props */
export function Import({ bot }) {
  const [file, setFile] = useState(/** @type {File | undefined} */ (undefined))
  const [share, setShare] = useState(/** @type {number | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState(/** @type {Imported | undefined} */ (undefined))
  const running = useRef(/** @type {AbortController | undefined} */ (undefined))
  useEffect(() => () => running.current?.abort(), [])

  /** @param {File} chosen @param {string} [channel] */
  async function run(chosen, channel) {
    running.current?.abort()
    const leaving = new AbortController()
    running.current = leaving
    setFile(chosen)
    setProblem('')
    setShare(0)
    try {
      const query = new URLSearchParams({ name: chosen.name, ...(channel !== undefined && { channel }) })
      /** @type {{ imported: Imported }} */
      const { imported } = await stream(`tuning/import?${query}`, chosen, { signal: leaving.signal, onShare: setShare })
      setDone(imported)
    } catch (error) {
      if (leaving.signal.aborted) return
      setDone(undefined)
      setProblem(String(error instanceof Error ? error.message : error))
    } finally {
      if (running.current === leaving) setShare(undefined)
    }
  }

  return html`<section class="import" aria-labelledby="import">
    <h2 id="import">${say('importTitle')}</h2>
    <p class="soft">${say('importText', { bot: bot.name })}</p>
    <label class="chosen">
      <span class="label">${say('importFile')}</span>
      <input type="file" accept=".zip,.json,.jsonl" onChange=${(
        /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget },
      ) => {
        const [chosen] = currentTarget.files ?? []
        if (chosen) void run(chosen)
        // The same file again is a new run.
        currentTarget.value = ''
      }} />
    </label>
    ${
      share !== undefined &&
      html`<div class="run">
        <progress max="1" value=${share} aria-label=${say('replaying')}></progress>
        <span class="faint notes">${numberOf(share, { style: 'percent', maximumFractionDigits: 0 })}</span>
        <button class="plain" type="button" onClick=${() => running.current?.abort()}>${say('cancel')}</button>
      </div>`
    }
    ${problem && html`<p class="danger problem" role="alert">${problem}</p>`}
    <p class="hidden" role="status">${share !== undefined ? say('replaying') : done ? say('importSpoke', { bot: bot.name, n: numberOf(done.spoke) }) : ''}</p>
    ${
      done &&
      file &&
      share === undefined &&
      html`<${Spoken} key=${`${file.name} ${done.channel}`} done=${done} file=${file} bot=${bot} onChannel=${(/** @type {string} */ name) => run(file, name)} />`
    }
  </section>`
}

/** @param {{ done: Imported, file: File, bot: { name: string }, onChannel: (name: string) => void }} props */
function Spoken({ done, file, bot, onChannel }) {
  const { channels, channel, messages, from, to, turns, leftOut, spoken, spoke } = done
  const [shown, setShown] = useState(SHOWN)
  return html`<h3>${say('importSpoke', { bot: bot.name, n: numberOf(spoke) })}</h3>
    <p class="soft">${file.name}: ${say('replayed', { n: numberOf(messages), from: fullTime(from), to: fullTime(to) })}${leftOut.length > 0 && ` ${say('leftOut', { list: leftOut.join(', ') })}`}</p>
    ${
      channels.length > 1 &&
      html`<label class="pick"><span class="label">${say('tunedChannel')}</span>
        <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => onChannel(currentTarget.value)}>
          ${channels.map(({ name, messages: n }) => html`<option key=${name} value=${name} selected=${name === channel}>${name} (${numberOf(n)})</option>`)}
        </select></label>`
    }
    <table class="figures tuned">
      <caption class="hidden">${say('figures')}</caption>
      <tbody>
        <tr><th class="group" scope="rowgroup" colspan="2">${say('importTurns')}</th></tr>
        ${KINDS.map(kind => html`<tr key=${kind}><th scope="row">${say(WORDS[kind])}</th><td>${numberOf(turns[kind])}</td></tr>`)}
      </tbody>
    </table>
    ${turns.asked > 0 && html`<p class="soft">${say('importAsked')}</p>`}
    ${spoke === 0 && html`<p class="faint">${say('importSilent', { bot: bot.name })}</p>`}
    <ol class="differences spoken">
      ${spoken.slice(0, shown).map(
        (turn, index) => html`<li key=${index}>
          <p class="byline"><b class="who">${shownName(turn.author)}</b> <time class="faint" datetime=${turn.at}>${timeOf(turn.at)}</time></p>
          <p class="text">${turn.text}</p>
          <p><${Told} look=${turn} /></p>
        </li>`,
      )}
    </ol>
    ${spoken.length > shown && html`<button class="plain" onClick=${() => setShown(shown + SHOWN)}>${say('showMore')}</button>`}
    ${spoke > spoken.length && shown >= spoken.length && html`<p class="faint">${say('differMore', { n: numberOf(spoken.length) })}</p>`}`
}
