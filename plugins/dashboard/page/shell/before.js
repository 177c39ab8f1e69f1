// Runs before the first paint: the page never flashes in the other colours.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto'
} catch {
  // Where storage is forbidden the choice lasts as long as the page.
}
