/** The application: the session, the address, and its page. */
import { call, onLoggedOut } from './base/api.js'
import { disconnect, listenTo } from './base/events.js'
import { html, render, useEffect, useLayoutEffect, useReducer, useRef, useState } from './base/html.js'
import { isWord, language, ready, say } from './base/words.js'
import { Failed } from './parts/failed.js'
import { forgetVisit, keepVisit, lastVisit } from './shell/last-visit.js'
import { Login } from './shell/login.js'
import { Shell } from './shell/shell.js'
import { pages, panel } from './site.js'

/**
 * @typedef {{ bot: { id: string, name: string, names: string[] }, rooms: string[], people: { id: string, name: string }[] }} Overview
 * @typedef {{ loggedIn: boolean, password: boolean, role?: 'viewer' | 'moderator' | 'owner' }} Session
 * @typedef {import('preact').FunctionComponent<any>} AnyPage
 * @typedef {{ name: string, panels: { id: string, title: string }[] }} Facts
 */

// At once, while the texts are loaded.
const first = call('session')
first.catch(() => {})

function App() {
  // As in the last visit, until the server answers.
  const [session, setSession] = useState(lastVisit().session)
  const [why, setWhy] = useState('')
  const again = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined))
  const change = (/** @type {Session} */ next) => {
    if (next.loggedIn) keepVisit({ session: next })
    else forgetVisit()
    setSession(next)
  }
  const ask = (asking = call('session')) => {
    clearTimeout(again.current)
    return asking.then(
      next => {
        setWhy('')
        change(next)
      },
      error => {
        setWhy(error.message)
        again.current = setTimeout(ask, 3_000)
      },
    )
  }
  useEffect(() => {
    onLoggedOut(() => {
      disconnect()
      change({ loggedIn: false, password: true })
    })
    void ask(first)
  }, [])
  if (!session)
    return why && html`<main id="main" class="alone" tabindex="-1"><${Failed} why=${why} onRetry=${() => ask()} /></main>`
  if (!session.loggedIn) return html`<${Login} onDone=${() => ask()} />`
  const leave = (/** @type {boolean} */ everywhere) =>
    call(everywhere ? 'logout-everywhere' : 'logout', { method: 'POST' }).then(next => {
      disconnect()
      change(next)
    })
  return html`<${Inside} key=${session.role} role=${session.role} onLeave=${session.password ? leave : undefined} />`
}

/** The pages of each role. @type {Readonly<Record<string, readonly string[]>>} */
const SEEN = { viewer: ['viewer'], moderator: ['viewer', 'moderator'], owner: ['viewer', 'moderator', 'owner'] }

/** The first page of a bot with a password. */
const WATCHED = 'overview'

/** @param {{ role: Session['role'], onLeave: ((everywhere: boolean) => void) | undefined }} props */
function Inside({ role = 'viewer', onLeave }) {
  const seen = pages.filter(page => SEEN[role]?.includes(page.role))
  // The first page opens. A bot with a password is watched; one without is tried.
  const mine = onLeave ? seen.toSorted((a, b) => Number(b.name === WATCHED) - Number(a.name === WATCHED)) : seen
  const isViewer = role === 'viewer'
  const [last] = useState(lastVisit)
  const [overview, setOverview] = useState(
    /** @type {Overview | undefined} */ (last.bot && { bot: last.bot, rooms: [], people: [] }),
  )
  const [facts, setFacts] = useState(/** @type {Facts} */ (last.facts ?? { name: '', panels: [] }))
  const [notice, setNotice] = useState('')
  const [lost, setLost] = useState(false)
  /** Why the page could not be read. */
  const [unread, setUnread] = useState('')
  const [, redraw] = useReducer((/** @type {number} */ n) => n + 1, 0)
  const where = usePath(mine)

  const again = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined))
  const read = () => {
    clearTimeout(again.current)
    // The playground and the live events are not for viewers.
    Promise.all([call('bot'), isViewer ? undefined : call('playground')]).then(
      ([known, playground = { bot: { id: '', name: known.name, names: [] }, rooms: [], people: [] }]) => {
        const seen = isViewer ? { ...known, panels: [] } : known
        setUnread('')
        setFacts(seen)
        setOverview(playground)
        keepVisit({ facts: seen, bot: playground.bot })
      },
      error => {
        setUnread(error.message)
        again.current = setTimeout(read, 3_000)
      },
    )
  }
  useEffect(() => {
    read()
    let isFirst = true
    const quit = isViewer
      ? () => {}
      : listenTo(({ type }) => {
          if (type === 'lost') setLost(true)
          if (type !== 'open') return
          setLost(false)
          if (!isFirst) read()
          isFirst = false
        })
    return () => {
      clearTimeout(again.current)
      quit()
    }
  }, [])
  useEffect(() => {
    const timer = notice ? setTimeout(() => setNotice(''), 8_000) : undefined
    return () => clearTimeout(timer)
  }, [notice])

  const { page, rest, view } = where
  const room =
    page === 'playground' ? rest || lastVisit().room || overview?.rooms.find(one => !one.startsWith('@')) || 'general' : ''
  useEffect(() => {
    if (overview && room) keepVisit({ room })
  }, [overview, room])
  const panel = facts.panels.find(({ id }) => page === 'panel' && id === rest)
  const title = panel?.title ?? titleOf(page)
  /** What the page shows, such as a channel. */
  const [shown, setShown] = useState('')
  useEffect(() => setShown(''), [page, rest])
  const inside = shown || (room && (room.startsWith('@') ? room : `#${room}`))
  useEffect(() => {
    document.title = [inside, title, overview?.bot.name ?? 'kikimimi'].filter(Boolean).join(' · ')
  }, [inside, title, overview, language()])
  const { Page, isFor, why } = usePage(page)
  const changed = (/** @type {Error | undefined} */ error) => {
    if (error) setNotice(say('failed', { why: say('connectionGone') }))
    redraw(0)
  }

  return html`<${Shell} page=${page} room=${room} rooms=${overview?.rooms ?? []} bot=${overview?.bot.name ?? ''} pages=${mine} panels=${facts.panels} panel=${panel?.id} onChange=${changed} onLeave=${onLeave && (() => onLeave(false))}>
    ${why && html`<section class="sheet"><${Failed} why=${why} onRetry=${() => location.reload()} /></section>`}
    ${unread && html`<section class="sheet"><${Failed} why=${unread} onRetry=${read} /></section>`}
    ${overview && Page && isFor === page && html`<${Page} key=${page} name=${page} title=${title} where=${page === 'playground' ? room : rest} view=${view} panel=${panel} onShown=${setShown} onLeave=${onLeave} bot=${overview.bot} people=${overview.people} onNotice=${setNotice} />`}
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
    Page: /** @type {AnyPage | undefined} */ (undefined),
    why: '',
  })
  useEffect(() => {
    let gone = false
    const { load } = pages.find(one => one.name === name) ?? panel
    load().then(
      ({ Page }) => gone || setLoaded({ isFor: name, Page, why: '' }),
      () => gone || setLoaded({ isFor: name, Page: undefined, why: say('connectionGone') }),
    )
    return () => {
      gone = true
    }
  }, [name])
  return loaded
}

/** `#/channels/12/settings` is the page `channels` at `12`, in its view `settings`. What follows a `?` is for the page. Another page than the given ones is the first of them. @param {typeof pages} mine */
function usePath(mine) {
  const read = () => {
    const [page = '', rest = '', view = ''] = (location.hash.split('?', 1)[0] ?? '').replace(/^#\/?/, '').split('/', 3)
    const known = page === 'panel' || mine.some(({ name }) => name === page)
    return { page: known ? page : (mine[0]?.name ?? ''), rest: decoded(rest), view: decoded(view) }
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

await ready
const page = document.getElementById('page')
if (page) render(html`<${App} />`, page)
