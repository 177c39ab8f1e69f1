import { say } from '../base/words.js'

/** @param {'viewer' | 'moderator' | 'owner'} role */
export function roleName(role) {
  return say(/** @type {const} */ ({ viewer: 'roleViewer', moderator: 'roleModerator', owner: 'roleOwner' })[role])
}
