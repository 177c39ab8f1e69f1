/**
 * Every error code with its cause and its remedy, grouped as docs/errors.md shows them. A code exists only here: the type
 * {@link ErrorCode} and the page are both made from this table. `npm run reference` writes the page.
 */

interface Explained {
  /** What happened. */
  readonly cause: string
  /** What the operator or the author of a plugin does about it. */
  readonly remedy: string
}

export const ERROR_CODES = {
  Configuration: {
    CONFIG_NOT_FOUND: {
      cause: 'There is no bot.config.ts in the current folder, or no file at the path given with `--config`.',
      remedy: 'Run the command in the folder of the bot, or name the file with `--config`.',
    },
    CONFIG_BROKEN: {
      cause:
        'bot.config.ts, or a file that it imports such as bot.settings.json, does not load: a syntax error, a missing package, or an error while it runs.',
      remedy: 'Correct the line that the message names. `npm install` when a package is missing.',
    },
    CONFIG_INVALID: {
      cause:
        'bot.config.ts exports no bot, or has mistakes of several kinds. Or it, or bot.settings.json, has an unknown or wrong setting, names an HTTP address that cannot be used, or limits money without the price of a model.',
      remedy: 'Change the settings that the message lists. [The reference](./reference.md#botconfigts) has all of them.',
    },
    CONFIG_UNCLEAR: {
      cause:
        'A command cannot change bot.config.ts, because it does not understand how the file is written: the plugins are not one array.',
      remedy: 'Make the change by hand: the message has the lines and where they belong. Then repeat the command.',
    },
    SETTINGS_CHANGED: {
      cause: 'Another person or an editor changed a setting of bot.settings.json or of a channel after this person had read it.',
      remedy: 'Read the settings again. Repeat the change if you still want it. Nothing was overwritten.',
    },
    SETTINGS_READ_ONLY: {
      cause:
        'The bot cannot write bot.settings.json: its folder can only be read, as in a container, or bot.config.ts does not import it.',
      remedy:
        'Change the file where it is kept, or mount its folder so that the bot can write. The message says what is missing.',
    },
    OPTIONS_INVALID: {
      cause:
        'The options of a plugin do not fit its schema: in bot.config.ts, for one channel, set in the chat, or set on the dashboard.',
      remedy: 'Change the options that the message lists. [The reference](./reference.md) has the options of every plugin.',
    },
  },
  Plugins: {
    HOOK_UNKNOWN: {
      cause: '`setup` of a plugin returned a name that is not a stage or another hook, for example a mistyped stage.',
      remedy: 'Use the name that the message suggests. [The stages](./pipeline.md#the-stages).',
    },
    PLUGIN_INVALID: {
      cause: 'A plugin is not built correctly: its name, a command, its platform, or what `setup` returned.',
      remedy: 'Correct the definition of the plugin. [Write a plugin](./write-a-plugin.md) shows each part.',
    },
    PLUGIN_DUPLICATE: {
      cause: 'Two plugins in bot.config.ts have the same name.',
      remedy: 'Remove one of them, or rename your own plugin.',
    },
    SERVICE_MISSING: {
      cause: 'A plugin needs a service, and no plugin provides it.',
      remedy: 'Add the plugin that the message names to bot.config.ts.',
    },
    SERVICE_DUPLICATE: {
      cause: 'Two plugins provide the same service.',
      remedy: 'Keep one of them in bot.config.ts.',
    },
    SERVICE_CYCLE: {
      cause: 'Plugins need services of each other in a circle.',
      remedy: 'Remove one `needs` from the circle, or read that service with `ctx.use(Service, "optional")` in a stage.',
    },
    ORDER_CYCLE: {
      cause: 'Plugins declare with `before` and `after` that each of them stands before the other.',
      remedy: 'Remove one of the declarations that the message names.',
    },
    SERVICE_NOT_DECLARED: {
      cause: 'A plugin calls `ctx.use` or `ctx.provide` for a service that its definition does not list.',
      remedy: 'Add the service to `needs` or `provides` of the definition.',
    },
    TOOL_DUPLICATE: {
      cause: 'Two plugins offer a tool with the same name to the models.',
      remedy: 'Rename one of the tools.',
    },
    TOOL_UNAVAILABLE: {
      cause: 'A tool cannot be used now: its server does not answer, or not as the protocol demands.',
      remedy: 'Run `kikimimi check`. The log of the bot says why; the log of the server may say more.',
    },
    COMMAND_DUPLICATE: {
      cause: 'Two chat commands, or two commands of the command line, have the same name.',
      remedy: 'Rename one of the commands.',
    },
    SETUP_FAILED: {
      cause:
        '`setup` of a plugin threw an error, did not provide a service that it declares, or used a function that works only once the bot runs.',
      remedy:
        'Read the message and its cause (`--stack`). Move the call to `platform.start`, a stage or a job when the bot has to run first.',
    },
    SETUP_TIMEOUT: {
      cause: 'A plugin did not finish `setup`, its routes or its start in time.',
      remedy: 'Check that the service which the plugin connects to is reachable.',
    },
    RELOAD_FAILED: {
      cause: 'A changed bot.config.ts could not be applied, and the plugins could not return to their previous state.',
      remedy: 'Correct bot.config.ts and start the bot again.',
    },
    ARGUMENT_INVALID: {
      cause:
        'A function of the API received a value that it does not accept, such as an interval below one second or a vector of another length.',
      remedy: 'Correct the call in the plugin. The message says which values the function accepts.',
    },
    JOB_MISPLACED: {
      cause: 'A plugin declared a job or repeated work after `setup`, or two of the same name.',
      remedy: 'Call `ctx.job` and `ctx.every` in `setup`, with different names.',
    },
    SCHEDULE_INVALID: {
      cause:
        'A plugin gives `ctx.every` a wrong schedule: an interval below one second, a wrong cron expression or an unknown time zone.',
      remedy:
        'Correct the schedule that the message names. [The form](./plugin-data.md#at-a-time-of-the-day). A plugin that takes it as an option checks it with the schema parts `cron` and `timeZone`.',
    },
    IN_TRANSACTION: {
      cause: 'A plugin called `ctx.receive` or `ctx.send` inside `ctx.db.transaction`.',
      remedy: 'Make the call after the transaction. A job that is scheduled inside the transaction can make it.',
    },
    OVERLOADED: {
      cause:
        'More messages arrive than the bot can record. It sheds this one, and reads it later where the platform has a history.',
      remedy:
        'No action for one message. If it lasts, see [when the bot cannot keep up](./operations.md#when-the-bot-cannot-keep-up).',
    },
    STOPPED: {
      cause: 'A call arrived after the bot or the plugin had stopped, or a reload cancelled the work.',
      remedy: 'No action. The platform delivers the message again, and cancelled work starts again.',
    },
  },
  Stages: {
    STAGE_TIMEOUT: {
      cause: 'A plugin, a platform, a tool or a command did not answer within its deadline.',
      remedy:
        'Check what the plugin waits for, and pass `signal` to every call that waits. [The deadlines](./pipeline.md#the-stages).',
    },
    STAGE_NONSENSE: {
      cause: 'A stage of a plugin or a method of a platform returned a value of the wrong shape.',
      remedy: 'Correct the plugin. The message says what was expected and which type came back.',
    },
    MESSAGE_INVALID: {
      cause: 'A platform passed a message, a command or a line with a field that is missing or wrong.',
      remedy: 'Correct the platform plugin, or the line of a script that writes to the terminal plugin.',
    },
    HALTED: {
      cause: 'An admin stopped the bot in this workspace with STOP.',
      remedy: 'No action. `/kiki start` lets the bot speak again.',
    },
    FORGET_FAILED: {
      cause: 'A plugin could not delete what it keeps of a person.',
      remedy:
        'No action at first: the bot tries again after 10 seconds, up to 1 hour. Repair the plugin that the message names when it continues.',
    },
    ATTACHMENT_REFUSED: {
      cause: 'A file was not fetched: its host is not allowed, or its server refused.',
      remedy: 'No action: the bot answers without the file. On Slack, add the scope `files:read` when the message says so.',
    },
  },
  Platforms: {
    CHANNEL_MISSING: {
      cause: 'A plugin looks for a channel by its name, and the bot can read none of this name.',
      remedy: 'Use one of the names that the message lists. Or add the bot to the channel.',
    },
    CHANNEL_AMBIGUOUS: {
      cause: 'A plugin looks for a channel by its name, and several channels have it.',
      remedy: 'Name the platform and the workspace too, or use the id of the channel.',
    },
    PLATFORM_MISSING: {
      cause: 'No plugin connects the bot to people, or a plugin named a platform that no plugin provides.',
      remedy: 'Add `terminal()`, `discord()`, `slack()` or another platform to bot.config.ts.',
    },
    PLATFORM_DUPLICATE: {
      cause: 'Two plugins provide the same platform.',
      remedy: 'Keep one of them in bot.config.ts.',
    },
    PLATFORM_START_FAILED: {
      cause: 'A platform could not connect: a wrong token, a missing intent or scope, or no network.',
      remedy:
        'Follow the message. `kikimimi check` tests tokens, intents and scopes. See [Discord](./discord.md#4-when-something-is-wrong) and [Slack](./slack.md#when-something-is-wrong).',
    },
    PLATFORM_LOST: {
      cause: 'A platform ended the connection and accepts no new one, for example because the token was revoked.',
      remedy: 'Follow the message, then start the bot again.',
    },
    PLATFORM_REFUSED: {
      cause: 'A platform refused a single call, such as posting a message or adding a reaction.',
      remedy: 'Give the bot the permission that the message names. A rate limit needs no action: the bot waits.',
    },
    PLATFORM_UNAVAILABLE: {
      cause:
        'A platform did not answer a single call, or answered with an error of its own. Whether it did what was asked is unknown.',
      remedy: 'No action: the bot tries again. If this lasts, check the network and the status page of the platform.',
    },
    ALERT_FAILED: {
      cause: 'A webhook or a channel could not be told about a state of the bot.',
      remedy: 'Check `ALERT_WEBHOOK_URL` and `alerts` in bot.config.ts, then run `kikimimi alert --test`.',
    },
    SEND_FAILED: {
      cause: 'A message that a plugin sent with `ctx.send` did not arrive.',
      remedy:
        'Read the reason in the message: a missing permission, a deleted channel, more readers than before, or a platform without reactions.',
    },
    SOURCES_LOST: {
      cause:
        'A plugin wanted to send a message with `ctx.send` that is made from messages of people. One of them was deleted, edited or left out, or its author is being forgotten.',
      remedy: 'No action. Nothing was posted. A plugin drops what it wanted to say, or makes it again without the message.',
    },
  },
  Database: {
    DATABASE_NONE: {
      cause: 'The bot has no database (`database: false`), and a plugin or a command needs one.',
      remedy:
        "Set `database` in bot.config.ts, or remove the plugin. With `database: 'memory'` the data lasts until the bot stops.",
    },
    DATABASE_LOCKED: {
      cause: 'Another process uses the data folder.',
      remedy: 'Stop the other process, or use a Postgres server with `DATABASE_URL`.',
    },
    BOT_UNREACHABLE: {
      cause: 'A command could not work with the running bot: the bot belongs to another user, or it ended before the command.',
      remedy: 'Run the command as the user of the bot. If the bot has ended, run the command again.',
    },
    DATABASE_UNREACHABLE: {
      cause: 'The database server does not answer, the URL cannot be read, or the data folder cannot be written.',
      remedy: 'Check the server, `DATABASE_URL`, the rights of the folder and the free space of the disk.',
    },
    DATABASE_BROKEN: {
      cause: 'The data folder holds other files, or a database that does not open.',
      remedy: 'Choose an empty folder, or restore a backup with `kikimimi restore`.',
    },
    DATABASE_EXTENSION_MISSING: {
      cause: 'The Postgres server has no pgvector.',
      remedy:
        'Install the package `postgresql-<version>-pgvector` on the server, then run `create extension vector` as an administrator.',
    },
    MIGRATION_FAILED: {
      cause: 'A migration has a wrong file name, cannot be read, or contains SQL that fails.',
      remedy: 'Correct the file that the message names. No part of a failed migration stays in the database.',
    },
    MIGRATION_CHANGED: {
      cause: 'A version before 0.1.0 made these tables, or a migration that made them was edited since. Nothing was changed.',
      remedy:
        '`kikimimi rescue` reads the data out of any earlier version, and `kikimimi restore` takes them over into an empty folder or database. In a plugin that you write, bring the old file back, and write the change as a new migration.',
    },
    MIGRATION_UNKNOWN: {
      cause:
        'A later version of kikimimi or of a plugin has used this database, or a migration was removed. Nothing was changed.',
      remedy:
        'Install that version or a later one, or restore a backup from before the upgrade. In a plugin that you write, bring the file back.',
    },
  },
  Models: {
    MODEL_MISSING: {
      cause:
        'A plugin needs a model that bot.config.ts does not set, such as `models.embeddings`. Or a program started a bot without `models.chat`: only the command line and `testBot` have the offline model for it.',
      remedy: 'Add the model to `models` in bot.config.ts. The offline model is `offline()` of `@kikimimi/offline`.',
    },
    MODEL_PACKAGE_MISSING: {
      cause: 'An environment variable chooses a provider of models whose package is not installed.',
      remedy: 'Run the `npm install` of the message, or remove the variable.',
    },
    MODEL_FILES_INVALID: {
      cause: 'A file of a local model is missing, damaged, or of a kind that cannot be read.',
      remedy: 'Delete the folder of the model, so that it is downloaded again, or choose another model.',
    },
    MODEL_TIMEOUT: {
      cause: 'A model did not answer within its deadline: 60 seconds, 15 for the judge.',
      remedy: 'No action when it passes. Otherwise choose a faster model or a shorter prompt.',
    },
    MODEL_UNAVAILABLE: {
      cause:
        'A model could not be reached, is overloaded (5xx) or over its quota (429), or returned vectors that cannot be used.',
      remedy: 'No action when it passes. Otherwise check the network, the quota and the address of the model.',
    },
    MODEL_REFUSED: {
      cause:
        'A model refused the request: a wrong API key, an unknown model name, a safety filter, or a prompt that is too long.',
      remedy: 'Check the key in `.env` and the model name in bot.config.ts. The message names the reason.',
    },
    MODEL_EMPTY: {
      cause: 'A model answered without text.',
      remedy: 'No action when it is rare. Otherwise choose another model or raise its limit of output tokens.',
    },
    MODEL_UNREADABLE: {
      cause: 'A model answered with something that cannot be used: broken JSON, JSON of another shape, or text without words.',
      remedy: 'No action when it is rare. Otherwise choose a model that supports structured output.',
    },
    MODEL_BREAKER_OPEN: {
      cause: 'A model failed three times in a row, so the bot does not call it until the time in the message.',
      remedy: 'Read the earlier error of that model in the log or in the trace.',
    },
    MODEL_BUDGET_SPENT: {
      cause: 'A limit of `budget` in bot.config.ts, or of `kikimimi eval --budget`, is reached.',
      remedy: 'Wait for the next hour or day (UTC), or raise [the budget](./operations.md#what-it-costs).',
    },
  },
  Prompts: {
    TEXT_MISSING: {
      cause: 'A package has no text for a key that it uses, not even in English.',
      remedy: 'Add the key to `locales/en.json` of the package.',
    },
    TEXT_VALUE_MISSING: {
      cause: 'A text has a `{{placeholder}}` for which the code gives no value.',
      remedy: 'Use one of the values that the message lists, or correct the text.',
    },
    PROMPT_MISSING: {
      cause: 'A plugin has no prompt of this name, or a file in `prompts/` replaces a prompt that does not exist.',
      remedy: 'Create the file in the folder that the message names, or rename it.',
    },
    PROMPT_VALUE_MISSING: {
      cause: 'A prompt uses a `{{value}}` that the plugin does not give.',
      remedy: 'Use one of the values that the message lists.',
    },
  },
  Replays: {
    REPLAY_BUSY: {
      cause: 'A replay is running, and a bot runs one at a time.',
      remedy: 'Wait until it is finished.',
    },
    REPLAY_NOTHING: {
      cause: 'The bot has no messages of this channel.',
      remedy: 'Check the name of the channel. Messages are kept for 90 days (`retention.messages`).',
    },
    LOG_FILE_INVALID: {
      cause: 'A chat log or an export for `kikimimi replay` cannot be read.',
      remedy: 'Correct the place that the message names, or export the channel again. [The formats](./tuning.md).',
    },
  },
  'Command line': {
    USAGE: {
      cause: 'A command was called with arguments or options that it does not accept.',
      remedy: 'Run `kikimimi help COMMAND`. The exit code is 2.',
    },
    INVITE_NOWHERE: {
      cause: '`kikimimi invite` found no plugin with an invitation.',
      remedy: 'Set `DISCORD_TOKEN` or `SLACK_BOT_TOKEN` in .env. bot.config.ts needs `discord()` or `slack()`.',
    },
    EXPORT_NOTHING: {
      cause: 'There are no messages to export.',
      remedy: 'Name a channel that the bot has messages of. A private channel needs `--channel`.',
    },
    EXPORT_UNFIT: {
      cause: 'The folder for an export exists already or cannot be written.',
      remedy: 'Choose a new name in a folder that you can write to.',
    },
    PLUGIN_PACKAGE: {
      cause:
        '`kikimimi add` cannot add a package: the registry does not have it, it is not a plugin, its manifest is wrong, or it needs another version of kikimimi.',
      remedy: 'Follow the message. `kikimimi search` lists plugins and shows which fit.',
    },
    INSTALL_FAILED: {
      cause: 'The package manager failed, or its packages cannot be changed here. bot.config.ts and package.json are as before.',
      remedy: 'Correct the error that the package manager printed, then repeat the command.',
    },
    REGISTRY_UNAVAILABLE: {
      cause: "The registry of npm's configuration did not answer.",
      remedy:
        'Look at the address that the message names, at the network and at the proxy. `npm config set registry` changes it.',
    },
    CHANGE_REFUSED: {
      cause:
        'The person did not agree to the change that a command showed, or a file cannot be written, or it changed while the command ran.',
      remedy: 'Answer `y`, or use `--yes` in a script. Otherwise make the file writable, or repeat the command.',
    },
    NEW_REFUSED: {
      cause: '`kikimimi new` cannot make the folder: its name is not allowed, or the folder is not empty.',
      remedy: 'Choose another name.',
    },
    BACKUP_UNREADABLE: {
      cause: 'The file is not a complete backup of a bot.',
      remedy: 'Use another backup. A backup that was interrupted keeps the name `….part`.',
    },
    BACKUP_LOCKED: {
      cause: 'The backup is encrypted, and the command has no key or another one.',
      remedy: 'Set `BACKUP_KEY` to the secret key of the backup, which begins with `AGE-SECRET-KEY-1`.',
    },
    BACKUP_STORE: {
      cause: 'The folder or the S3-compatible store for backups does not answer, or it refuses the request.',
      remedy: 'Check the address, the keys and the bucket that the message names.',
    },
    BACKUP_DIFFERS: {
      cause: 'A restore drill restored a backup, and the tables differ from what the backup holds.',
      remedy: 'Report it with the message. Keep the backup, and make a new one with this version.',
    },
    BACKUP_UNVERIFIED: {
      cause: 'A backup was written, and reading it back gave something else. It was removed.',
      remedy: 'Check the disk or the store. The bot tries again after 15 minutes.',
    },
    UPGRADE_REFUSED: {
      cause:
        '`kikimimi upgrade` cannot replace the installed version: the registry does not have the new one, npm cannot install it, its check found a problem, or it decides differently about recorded messages.',
      remedy: 'Do what the message says. The installed version and the files of the bot are as before.',
    },
    RESCUE_REFUSED: {
      cause:
        'The source of a rescue is no database and no backup of a bot, a bot uses it at the moment, or a later version wrote it.',
      remedy: 'Do what the message says. The source is as before.',
    },
    RESCUE_TABLE: {
      cause: 'A table of the database cannot be read to its end, because files are missing or broken.',
      remedy: 'The rest of the data is rescued. Keep the old data: its files may be repaired with the tools of Postgres.',
    },
    BACKUP_UNFIT: {
      cause: 'The backup file exists already or cannot be written, or the database for a restore is not empty.',
      remedy: 'Choose another file name. Restore into an empty folder or a new database.',
    },
  },
  Kikimimi: {
    INTERNAL: {
      cause: 'A rule that kikimimi depends on does not hold, for example a table has lost its only row.',
      remedy: 'Report it with the message and the stack (`--stack`). Restore a backup when a table was changed by hand.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Explained>>>>

type Groups = typeof ERROR_CODES

/** A stable code of a {@link KikimimiError}. docs/errors.md has the cause and the remedy of each. */
export type ErrorCode = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups] & string
