/** What plugin authors test with. */
export { databaseContract } from './database-contract.ts'
export { jobsContract } from './jobs-contract.ts'
export { type PlatformHarness, platformContract } from './platform-contract.ts'
export { type Script, type ScriptedModel, scriptedModel } from './scripted-model.ts'
export { storeContract } from './store-contract.ts'
export { type Said, type TestBot, type TestBotOptions, testBot } from './test-bot.ts'
export { openTestDatabase } from './test-database.ts'
export { type Posted, type TestPlatform, testPlatform } from './test-platform.ts'
