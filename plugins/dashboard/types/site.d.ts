/** Made by the server: the pages in the order of the menu, and the languages of `page/languages/`. */
export const pages: readonly { readonly name: string; readonly sections: boolean }[]
export const languages: readonly string[]
