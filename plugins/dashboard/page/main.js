/** The application: the session, the address, and its page. */
import { call, disconnect, listenTo, onLoggedOut } from './base/api.js'
import { html, render, useEffect, useLayoutEffect, useReducer, useState } from './base/html.js'
import { isWord, language, say } from './base/words.js'
import { Failed } from './parts/failed.js'
import { Login } from './shell/login.js'
import { Shell } from './shell/shell.js'
import { pages } from './site.js'

/**
 * @typedef {{ bot: { id: string, name: string, names: string[] }, rooms: string[], people: { id: string, name: string }[] }} Overview
 * @typedef {{ loggedIn: boolean, password: boolean, role?: 'viewer' | 'moderator' | 'owner' }} Session
 * @typedef {{ name: string, panels: { id: string, title: string }[] }} Facts
 */

function App() {
  const [session, setSession] = useState(/** @type {Session | undefined} */ (undefined))
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
  const leave = (/** @type {boolean} */ everywhere) =>
    call(everywhere ? 'logout-everywhere' : 'logout', { method: 'POST' }).then(next => {
      disconnect()
      setSession(next)
    })
  return html`<${Inside} role=${session.role} onLeave=${session.password ? leave : undefined} />`
}

/** The pages of each role. @type {Readonly<Record<string, readonly string[]>>} */
const SEEN = { viewer: ['viewer'], moderator: ['viewer', 'moderator'], owner: ['viewer', 'moderator', 'owner'] }

/** @param {{ role: Session['role'], onLeave: ((everywhere: boolean) => void) | undefined }} props */
function Inside({ role = 'viewer', onLeave }) {
  const mine = pages.filter(page => SEEN[role]?.includes(page.role))
  const isViewer = role === 'viewer'
  const [overview, setOverview] = useState(/** @type {Overview | undefined} */ (undefined))
  const [facts, setFacts] = useState(/** @type {Facts} */ ({ name: '', panels: [] }))
  const [notice, setNotice] = useState('')
  const [lost, setLost] = useState(false)
  const [, redraw] = useReducer((/** @type {number} */ n) => n + 1, 0)
  const where = usePath(mine)

  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let again
    let gone = false
    // Without it the page is empty and would not retry.
    const failed = (/** @type {Error} */ error) => {
      if (gone) return
      setNotice(say('failed', { why: error.message }))
      clearTimeout(again)
      again = setTimeout(read, 3_000)
    }
    function read() {
      call('bot').then(known => {
        setFacts(isViewer ? { ...known, panels: [] } : known)
        // The playground and the live events are not for viewers.
        if (isViewer) setOverview({ bot: { id: '', name: known.name, names: [] }, rooms: [], people: [] })
      }, failed)
      if (!isViewer) call('playground').then(setOverview, failed)
    }
    if (isViewer) {
      read()
      return () => {
        gone = true
        clearTimeout(again)
      }
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
  const title = panel?.title ?? titleOf(page)
  useEffect(() => {
    document.title = `${title} · ${overview?.bot.name ?? 'kikimimi'}`
  }, [title, overview, language()])
  const { Page, isFor, why } = usePage(page)

  return html`<${Shell} page=${page} room=${room} rooms=${overview?.rooms ?? []} bot=${overview?.bot.name ?? ''} pages=${mine} panels=${facts.panels} panel=${panel?.id} onChange=${redraw} onLeave=${onLeave}>
    ${why && html`<section class="sheet"><${Failed} why=${why} onRetry=${() => location.reload()} /></section>`}
    ${overview && Page && isFor === page && html`<${Page} key=${page} name=${page} title=${title} where=${page === 'playground' ? room : rest} panel=${panel} bot=${overview.bot} people=${overview.people} onNotice=${setNotice} />`}
    <p class=${`notice ${notice || lost ? 'shown' : ''}`} role="status">${lost ? say('lost') : notice}</p>
  <//>`
}

/** @param {string} page */
function titleOf(page) {
  return isWord(page) ? say(page) : say('nowhere')
}

/**
 * The code of a page, loaded when it is opened.
 *
 * @param {string} name
 */
function usePage(name) {
  const [loaded, setLoaded] = useState({
    isFor: '',
    Page: /** @type {import('preact').FunctionComponent<any> | undefined} */ (undefined),
    why: '',
  })
  useEffect(() => {
    let gone = false
    const folder = pages.find(one => one.name === name)?.name ?? 'panel'
    import(`/${folder}/page.js`).then(
      ({ Page }) => gone || setLoaded({ isFor: name, Page, why: '' }),
      () => gone || setLoaded({ isFor: name, Page: undefined, why: say('connectionGone') }),
    )
    return () => {
      gone = true
    }
  }, [name])
  return loaded
}

/** `#/playground/general` is the page `playground` at `general`. What follows a `?` is for the page. Another page than the given ones is the first of them. @param {typeof pages} mine */
function usePath(mine) {
  const read = () => {
    const [page = '', rest = ''] = (location.hash.split('?', 1)[0] ?? '').replace(/^#\/?/, '').split('/', 2)
    const known = page === 'panel' || mine.some(({ name }) => name === page)
    return { page: known ? page : (mine[0]?.name ?? ''), rest: decoded(rest) }
  }
  const [where, setWhere] = useState(read)
  // Before the first paint, so that no change of the address is missed.
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
