// Runs before the other files load.

// The colours are set before the first paint, so that the page does not flash in the wrong ones.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto'
} catch {
  // Without storage the setting lasts until the page is closed.
}

/** Whether a style sheet is missing: the page works without it, but is unreadable. */
let isBare = false

/** Shows that a file could not be loaded. The page itself tells what fails after it is drawn. @param {Event} event */
function unloaded({ target }) {
  isBare ||= target instanceof HTMLLinkElement && target.rel === 'stylesheet'
  const page = document.getElementById('page')
  const notice = document.getElementById('unloaded')
  // The style sheet fails before there is a body.
  if (!page || !notice) return document.addEventListener('DOMContentLoaded', () => unloaded(new Event('error')), { once: true })
  if (page.hasChildNodes() && !isBare) return
  page.hidden = true
  notice.hidden = false
  notice.querySelector('button')?.addEventListener('click', () => location.reload())
}

// Files that fail, and a module that throws while it loads.
addEventListener('error', unloaded, true)
addEventListener('unhandledrejection', unloaded)
