/** The bot of bench/processes with plugins that follow the log. An earlier version runs a copy of this file. */
import facts from '@kikimimi/facts'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import config from '../../faults/processes/bot.config.ts'

export default {
  ...config,
  retention: { messages: '10000d', traces: '10000d' },
  plugins: [...config.plugins, facts(), profiles(), quiet()],
}
