/** The page: where one is, what one has chosen, who may see it. */
import { call, disconnect, listenTo, onLoggedOut } from './api.js'
import { Channels } from './channels.js'
import { Health } from './health.js'
import { html, render, useEffect, useLayoutEffect, useReducer, useState } from './html.js'
import { Live } from './live.js'
import { Login } from './login.js'
import { Memory } from './memory.js'
import { Panel } from './panel.js'
import { Playground } from './playground.js'
import { Reference } from './reference.js'
import { language } from './settings.js'
import { Shell } from './shell.js'
import { Tuning } from './tuning.js'
import { say } from './words.js'

/**
 * @typedef {{ bot: { id: string, name: string, names: string[] }, rooms: string[], people: { id: string, name: string }[] }} Overview
 * @typedef {{ name: string, panels: { id: string, title: string }[] }} Facts
 */

function App() {
  const [session, setSession] = useState(/** @type {{ loggedIn: boolean, password: boolean } | undefined} */ (undefined))
  const ask = () => call('session').then(setSession, () => setTimeout(ask, 3_000))
  useEffect(() => {
    onLoggedOut(() => {
      disconnect()
      setSession({ loggedIn: false, password: true })
    })
    void ask()
  }, [])
  if (!session) return null
  if (!session.loggedIn) return html`<${Login} onDone=${ask} />`
  const leave = () =>
    call('logout', { method: 'POST' }).then(next => {
      disconnect()
      setSession(next)
    })
  return html`<${Inside} onLeave=${session.password ? leave : undefined} />`
}

/** @param {{ onLeave: (() => void) | undefined }} props */
function Inside({ onLeave }) {
  const [overview, setOverview] = useState(/** @type {Overview | undefined} */ (undefined))
  const [facts, setFacts] = useState(/** @type {Facts} */ ({ name: '', panels: [] }))
  const [notice, setNotice] = useState('')
  const [lost, setLost] = useState(false)
  const [, redraw] = useReducer((/** @type {number} */ n) => n + 1, 0)
  const where = usePath()

  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let again
    let gone = false
    // Without it there is nothing to see, and nobody would ask anew.
    const failed = (/** @type {Error} */ error) => {
      if (gone) return
      setNotice(say('failed', { why: error.message }))
      clearTimeout(again)
      again = setTimeout(read, 3_000)
    }
    function read() {
      call('playground').then(setOverview, failed)
      call('bot').then(setFacts, failed)
    }
    const listening = listenTo(event => {
      if (event.type === 'lost') setLost(true)
      if (event.type !== 'open') return
      setLost(false)
      read()
    })
    return () => {
      gone = true
      clearTimeout(again)
      listening()
    }
  }, [])
  useEffect(() => {
    const timer = notice ? setTimeout(() => setNotice(''), 8_000) : undefined
    return () => clearTimeout(timer)
  }, [notice])

  const { page, rest } = where
  const room = page === 'playground' ? rest || overview?.rooms.find(one => !one.startsWith('@')) || 'general' : ''
  const panel = facts.panels.find(({ id }) => page === 'panel' && id === rest)
  const title = panel?.title ?? (page === 'panel' ? say('nowhere') : say(page))
  useEffect(() => {
    document.title = `${title} · ${overview?.bot.name ?? 'kikimimi'}`
  }, [title, overview, language()])

  return html`<${Shell} page=${page} room=${room} rooms=${overview?.rooms ?? []} bot=${overview?.bot.name ?? ''} panels=${facts.panels} panel=${panel?.id} onChange=${redraw} onLeave=${onLeave}>
    ${overview && page === 'playground' && html`<${Playground} room=${room} bot=${overview.bot} people=${overview.people} onNotice=${setNotice} />`}
    ${overview && page === 'live' && html`<${Live} bot=${overview.bot} onNotice=${setNotice} />`}
    ${panel && html`<${Panel} key=${panel.id} id=${panel.id} title=${panel.title} />`}
    ${overview && page === 'memory' && html`<${Memory} bot=${overview.bot} where=${rest} onNotice=${setNotice} />`}
    ${overview && page === 'channels' && html`<${Channels} bot=${overview.bot} open=${rest} onNotice=${setNotice} />`}
    ${overview && page === 'tuning' && html`<${Tuning} bot=${overview.bot} where=${rest} onNotice=${setNotice} />`}
    ${overview && page === 'health' && html`<${Health} onNotice=${setNotice} />`}
    ${page === 'api' && html`<${Reference} />`}
    ${overview && page === 'panel' && !panel && html`<section class="sheet"><h1>${say('nowhere')}</h1></section>`}
    <p class=${`notice ${notice || lost ? 'shown' : ''}`} role="status">${lost ? say('lost') : notice}</p>
  <//>`
}

const PAGES = /** @type {const} */ (['playground', 'live', 'memory', 'channels', 'tuning', 'health', 'api', 'panel'])

/** `#/playground/general` is where one is. */
function usePath() {
  const read = () => {
    const [page = '', rest = ''] = location.hash.replace(/^#\/?/, '').split('/', 2)
    return { page: PAGES.find(one => one === page) ?? 'playground', rest: decoded(rest) }
  }
  const [where, setWhere] = useState(read)
  // At once: where one goes before the page has been painted is not lost.
  useLayoutEffect(() => {
    const moved = () => setWhere(read())
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  return where
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const page = document.getElementById('page')
if (page) render(html`<${App} />`, page)
