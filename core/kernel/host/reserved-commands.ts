/** The names of the kernel's own commands: no plugin's can be called like that. */
export const COMMANDS: ReadonlySet<string> = new Set([
  'start',
  'why',
  'explain',
  'invite',
  'check',
  'forget',
  'backup',
  'restore',
  'move',
  'export',
  'new',
  'replay',
  'help',
])
