/** A homeserver on loopback, and people on it. */
export { type Fault, type Homeserver, startHomeserver } from './homeserver.ts'
export { calling, enter, type Visitor, words } from './people.ts'
