/** The texts of this plugin, in each language. */
import { textsIn } from 'kikimimi'
import type en from './locales/en.json'

export const texts = textsIn<keyof typeof en>(new URL('./locales/', import.meta.url))
