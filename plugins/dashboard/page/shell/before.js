// Runs before the first paint, so that the page does not flash in the wrong colours.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto'
} catch {
  // Without storage the setting lasts until the page is closed.
}
