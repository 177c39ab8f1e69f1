/** Preact with htm: markup as template strings, every value in it escaped. */
import htm from '../vendor/htm.js'
import { h } from '../vendor/preact.js'

export { useEffect, useLayoutEffect, useReducer, useRef, useState } from '../vendor/hooks.js'
export { Component, render } from '../vendor/preact.js'

export const html = htm.bind(h)
