/** Settings of this browser. */

/** @param {string} name @param {string} fallback */
export function setting(name, fallback) {
  try {
    return localStorage.getItem(name) ?? fallback
  } catch {
    return fallback
  }
}

/** @param {string} name @param {string} value */
export function choose(name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
}

/** @returns {'auto' | 'light' | 'dark'} */
export function theme() {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

/** @param {'auto' | 'light' | 'dark'} value */
export function setTheme(value) {
  document.documentElement.dataset.theme = value
  choose('theme', value)
}
