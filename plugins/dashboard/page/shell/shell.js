/** The frame of every page: menu, language and theme. */
import { html, useEffect, useRef, useState } from '../base/html.js'
import { keyOf } from '../base/keys.js'
import { setTheme, setting, theme } from '../base/settings.js'
import { chooseLanguage, isWord, language, say } from '../base/words.js'
import { languages } from '../site.js'

/** Pages that begin a group of the menu. */
const FIRST = ['memory', 'tuning', 'costs']
/** Signs before the names of the themes. */
const SIGNS = { auto: '◐', light: '○', dark: '●' }

const ROOM = /^@?[\p{L}\p{M}\p{N}_.-]{1,32}$/u

/**
 * @param {{
 *   page: string, room: string, rooms: readonly string[], bot: string, panels: readonly { id: string, title: string }[],
 *   pages: readonly { readonly name: string }[], panel: string | undefined, onChange: (error?: Error) => void, onLeave: (() => void) | undefined, children?: unknown,
 * }} props
 */
export function Shell({ page, room, rooms, bot, pages, panels, panel, onChange, onLeave, children }) {
  const alone = `@${setting('speaker', 'alice')}`
  const all = [...new Set(['general', ...rooms, ...(room ? [room] : []), alone])]
  const open = all.filter(one => !one.startsWith('@'))
  const direct = all.filter(one => one.startsWith('@'))
  return html`<div class="shell">
    <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => {
      event.preventDefault()
      document.getElementById('main')?.focus()
    }}>${say('skip')}</a>
    <header class="rail">
      <p class="mark"><${Icon} /> <b>kikimimi</b> <span class="faint" lang="ja">聞き耳</span></p>
      <nav class="pages" aria-label=${say('pages')}>
        ${pages.map(({ name }) => html`<a key=${name} class=${FIRST.includes(name) ? 'first' : undefined} href=${`#/${name}`} aria-current=${page === name ? 'page' : undefined}>${isWord(name) ? say(name) : name}</a>`)}
        ${panels.map(({ id, title }) => html`<a key=${id} href=${`#/panel/${encodeURIComponent(id)}`} aria-current=${panel === id ? 'page' : undefined}>${title}</a>`)}
      </nav>
      ${
        page === 'playground' &&
        html`<nav class="rooms" aria-label=${say('rooms')}>
          <p class="label">${say('rooms')}</p>
          ${open.map(one => html`<${RoomLink} key=${one} name=${one} here=${one === room} text=${`# ${one}`} />`)}
          <${NewRoom} />
          <p class="label">${say('aloneWith', { bot })}</p>
          ${direct.map(one => html`<${RoomLink} key=${one} name=${one} here=${one === room} text=${one.replace('@', '@ ')} />`)}
        </nav>`
      }
      <div class="choices">
        <label class="choice">
          <span class="hidden">${say('language')}</span>
          <select value=${language()} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget: { value } }) => void chooseLanguage(value).then(() => onChange(), onChange)}>
            ${Object.keys(languages).map(one => html`<option key=${one} value=${one} lang=${one}>${nameOf(one)}</option>`)}
          </select>
        </label>
        <label class="choice">
          <span class="hidden">${say('look')}</span>
          <select onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget: { value } }) => {
            setTheme(value === 'light' || value === 'dark' ? value : 'auto')
            onChange()
          }}>
            ${/** @type {const} */ (['auto', 'light', 'dark']).map(one => html`<option key=${one} value=${one} selected=${theme() === one}>${SIGNS[one]} ${say(one)}</option>`)}
          </select>
        </label>
        ${onLeave && html`<button class="choice" onClick=${onLeave}>${say('logOut')}</button>`}
      </div>
    </header>
    <main id="main" tabindex="-1">${children}</main>
  </div>`
}

/** As in `icon.svg`, which costs a request. */
function Icon() {
  return html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#34508f" />
    <g fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round">
      <path d="M8 18 10 5.5q4.5 2 5.5 8.5M17 14q1-6.5 5.5-8.5L24 18" />
      <circle cx="16" cy="20.500" r="6" />
    </g>
  </svg>`
}

/** The name of a language in that language. @param {string} tag */
function nameOf(tag) {
  return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
}

/** @param {{ name: string, here: boolean, text: string }} props */
function RoomLink({ name, here, text }) {
  return html`<a href=${`#/playground/${encodeURIComponent(name)}`} aria-current=${here ? 'true' : undefined}>${text}</a>`
}

function NewRoom() {
  const [open, setOpen] = useState(false)
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  useEffect(() => {
    if (open) field.current?.focus()
  }, [open])
  if (!open) return html`<button class="new-room" onClick=${() => setOpen(true)}>+ ${say('newRoom')}</button>`
  return html`<form class="adding" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    const name = field.current?.value.trim().replace(/^#\s*/, '').replaceAll(/\s+/g, '-') ?? ''
    if (name !== '' && !ROOM.test(name)) return field.current?.setAttribute('aria-invalid', 'true')
    setOpen(false)
    if (name !== '') location.hash = `#/playground/${encodeURIComponent(name)}`
  }}>
    <input ref=${field} maxlength="32" aria-label=${say('roomName')} placeholder=${say('roomName')} onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyOf(event) === 'Escape' && setOpen(false)} />
    <button class="plain" type="submit">${say('enter')}</button>
  </form>`
}
