/** Made by the server: the pages in the order of the menu, the languages of `page/languages/`, the stages in their order. */
export const pages: readonly { readonly name: string; readonly role: 'viewer' | 'moderator' | 'owner' }[]
export const languages: readonly string[]
export const stages: readonly string[]
