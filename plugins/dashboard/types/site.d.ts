/** Made by the server: the pages in the order of the menu, the languages of `page/languages/`, the stages in their order. */
export const pages: readonly { readonly name: string; readonly sections: boolean }[]
export const languages: readonly string[]
export const stages: readonly string[]
