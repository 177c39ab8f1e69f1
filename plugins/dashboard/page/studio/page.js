/** The settings studio: forms for bot.settings.json, which are saved together. */
import { call, Refused } from '../base/api.js'
import { html, useEffect, useLayoutEffect, useRef, useState } from '../base/html.js'
import { say } from '../base/words.js'
import { Failed } from '../parts/failed.js'
import { keyOf, labelOf, withDraft, written } from './drafts.js'
import { History } from './history.js'
import { Invite } from './invite.js'
import { Options } from './options.js'
import { Places } from './places.js'
import { Prompts } from './prompts.js'
import { Try } from './try.js'

/**
 * @typedef {import('../../studio/views.ts').StudioView} Studio
 * @typedef {import('./drafts.js').Settable} Settable
 * @typedef {import('./drafts.js').Drafts} Drafts
 */

/** @param {{ title: string, onNotice: (text: string) => void }} props */
export function Page({ title, onNotice }) {
  const [studio, setStudio] = useState(/** @type {Studio | undefined} */ (undefined))
  const [why, setWhy] = useState('')
  const [drafts, setDrafts] = useKept()
  const [refusal, setRefusal] = useState('')
  const [isSaving, setSaving] = useState(false)
  const [version, setVersion] = useState(0)
  const [wanted, setWanted] = useState('')
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))

  function take(/** @type {Studio} */ next) {
    setStudio(next)
    setVersion(before => before + 1)
  }
  const read = () => call('studio').then(take, error => setWhy(error.message))
  useEffect(() => void read(), [])

  /** The drafts stay after an error: nothing that was typed is lost. @param {Promise<Studio>} asking @param {boolean} isDrafts */
  async function change(asking, isDrafts) {
    setSaving(true)
    setRefusal('')
    try {
      take(await asking)
      if (isDrafts) setDrafts(new Map())
      // The buttons are removed, so the focus moves.
      heading.current?.focus({ preventScroll: true })
      onNotice(say('studioSaved'))
    } catch (error) {
      const isConflict = error instanceof Refused && error.status === 409
      if (isConflict) await read()
      setRefusal(isConflict ? say('studioConflict') : String(error instanceof Error ? error.message : error))
    } finally {
      setSaving(false)
    }
  }

  if (why || !studio) {
    return html`<section class="sheet studio"><header class="lead"><h1>${title}</h1></header>
      ${why && html`<${Failed} why=${why} onRetry=${() => location.reload()} />`}
    </section>`
  }
  const { problem, plugins, settings, unused } = studio
  const mayChange = studio.mayChange && problem === undefined
  const editing = {
    drafts,
    mayChange,
    onDraft: (/** @type {readonly string[]} */ path, /** @type {any} */ draft) => setDrafts(had => withDraft(had, path, draft)),
  }
  const sought = wanted.trim().toLowerCase()
  const isFound = (/** @type {Settable} */ { path, does = '' }) => `${labelOf(path)} ${does}`.toLowerCase().includes(sought)
  const save = () =>
    change(call('studio', { method: 'POST', body: { version: studio.version, changes: [...drafts.values()] } }), true)

  return html`<section class="sheet studio">
    <header class="lead"><h1 ref=${heading} tabindex="-1">${title}</h1><p>${say('studioIntro')} <code>${studio.file}</code></p></header>
    ${problem && html`<p class="danger wraps" role="alert">${say('studioCannot', { why: problem })}</p>`}
    ${!studio.mayChange && html`<p>${say('studioOwner')}</p>`}
    ${unused.length > 0 && html`<p class="soft">${say('studioUnused', { list: unused.join(', ') })}</p>`}
    <div class="search" role="search"><label class="grow"><span class="label">${say('findOption')}</span>
      <input type="search" maxlength="200" onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setWanted(currentTarget.value)} />
    </label></div>
    <h2>${say('studioBot')}</h2>
    <${Options} caption=${say('studioBot')} options=${settings} isFound=${isFound} ...${editing} />
    <h2>${say('studioPlugins')}</h2>
    <p class="soft">${say('studioUnlisted')}</p>
    ${plugins.map(plugin => html`<${Plugin} key=${plugin.name} plugin=${plugin} isFound=${isFound} isSought=${sought !== ''} ...${editing} />`)}
    <${Places} version=${version} ...${editing} />
    <${Invite} mayCheck=${studio.mayChange} />
    <${History} version=${version} mayChange=${mayChange} onUndo=${(/** @type {number} */ id) => change(call('studio/undo', { method: 'POST', body: { id } }), false)} />
    ${refusal && html`<p class="danger wraps refusal" role="alert">${refusal}</p>`}
    ${
      drafts.size > 0 &&
      html`<section class="unsaved" aria-label=${say('studioUnsaved')}>
        <ul>${[...drafts.values()].map(({ path, ...rest }) => html`<li key=${keyOf(path)}><code>${labelOf(path)}</code> ${'value' in rest ? written(rest.value) : say('studioBack')}</li>`)}</ul>
        <p class="orders">
          <button class="strong" type="button" aria-disabled=${isSaving} onClick=${() => isSaving || save()}>${say('studioSave', { n: drafts.size })}</button>
          <button class="plain" type="button" onClick=${() => {
            heading.current?.focus({ preventScroll: true })
            setDrafts(new Map())
          }}>${say('studioDiscard')}</button>
        </p>
        <${Try} drafts=${drafts} />
      </section>`
    }
  </section>`
}

/** Changes that are not saved survive a reload of the page, and a visit of another page. */
function useKept() {
  const [drafts, setDrafts] = useState(() => {
    try {
      /** @type {readonly import('./drafts.js').Draft[]} */
      const kept = JSON.parse(sessionStorage.getItem('studio') ?? '[]')
      return /** @type {Drafts} */ (new Map(kept.map(draft => [keyOf(draft.path), draft])))
    } catch {
      return /** @type {Drafts} */ (new Map())
    }
  })
  useLayoutEffect(() => {
    try {
      sessionStorage.setItem('studio', JSON.stringify([...drafts.values()]))
    } catch {
      // Without storage they last until the page is closed.
    }
  }, [drafts])
  return /** @type {const} */ ([drafts, setDrafts])
}

/** @param {import('./options.js').Editing & { plugin: Studio['plugins'][number], isFound: (option: Settable) => boolean, isSought: boolean }} props */
function Plugin({ plugin: { name, enabled, fixed, options, prompts }, isFound, isSought, ...editing }) {
  const path = ['plugins', name, 'enabled']
  const { drafts, onDraft, mayChange } = editing
  const draft = drafts.get(keyOf(path))
  const isOn = draft ? !('value' in draft) : enabled
  return html`<details class="disclosed" hidden=${isSought && !options.some(isFound)} open=${isSought}>
    <summary>${name} ${!isOn && html`<span class="faint notes">${say('studioOff')}</span>`} ${draft && html`<span class="accent notes">${say('studioUnsaved')}</span>`}</summary>
    <p><label><input type="checkbox" checked=${isOn} disabled=${!mayChange || fixed !== undefined} onChange=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget },
    ) => {
      if (currentTarget.checked === enabled) onDraft(path, undefined)
      else onDraft(path, currentTarget.checked ? { path } : { path, value: false })
    }} /> ${say('studioOn', { plugin: name })}</label></p>
    ${fixed && html`<p class="faint notes">${fixed}</p>`}
    ${options.length > 0 && html`<${Options} caption=${name} options=${options} isFound=${isFound} ...${editing} />`}
    ${prompts.length > 0 && html`<${Prompts} plugin=${name} prompts=${prompts} ...${editing} />`}
  </details>`
}
