/** Made by the server: the pages in the order of the menu, the languages of `page/languages/`, the stages in their order. */
interface Code {
  load(): Promise<{ readonly Page: import('../page/main.js').AnyPage }>
}
export const pages: readonly (Code & { readonly name: string; readonly role: 'viewer' | 'moderator' | 'owner' })[]
/** The page of the panels of other plugins. */
export const panel: Code
/** By BCP 47 tag. */
export const languages: Readonly<Record<string, () => Promise<typeof import('../page/languages/en.js')>>>
export const stages: readonly string[]
