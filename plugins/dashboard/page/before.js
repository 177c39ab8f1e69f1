// Before anything is painted: no flash of the other colours.
{
  const root = document.documentElement
  try {
    root.dataset.theme = localStorage.getItem('theme') ?? 'auto'
    root.lang = localStorage.getItem('language') ?? ''
  } catch {
    // Where storage is forbidden the choice lasts as long as the page.
  }
  if (root.lang !== 'ja' && root.lang !== 'en') root.lang = navigator.language.startsWith('ja') ? 'ja' : 'en'
}
