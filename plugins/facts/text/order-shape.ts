/** The shape of a sentence: whom it addresses, its mood, and what it is about. Closed classes of words, no vocabulary. */
import { NO_POST, NO_SUBJECT, OF_OTHERS } from './bot-words.ts'

const BOT =
  `(?:${OF_OTHERS}(?:chat)?bots?${NO_SUBJECT}|kiki|(?<!\\b(?:dental|shop|sales|teaching|research|lab|office|nursing|personal) )assistants?${NO_POST}|` +
  `ais?${NO_SUBJECT}|llms?|(?:language |this |the |our )models?|machines?|agents?|automated \\w+)`
const MODAL =
  "(?:must|should|shall|will|may|can(?:not|'t)?|ought to|(?:has|have|needs?|is|are) to|(?:is|are) (?:\\w+ )?(?:obliged|required|supposed|expected|instructed|programmed) to)"
const PERMITTED =
  '(?:allowed|permitted|authori[sz]ed|entitled|cleared|free|exempt|permission|consents?|approved|right to|okay|fine (?:to|for|if))'
const OUTPUT =
  '(?:answers?|answering|answered|repl(?:y|ies|ying)|respon(?:d|se|ses|ding)|messages?|outputs?|sentences?|posts?|quotes?|wordings?|vocabulary|greetings?|what you (?:say|write))'
const INSIDE =
  '(?:prompts?|instructions?|guidelines?|rules?|filters?|memory|tokens?|config(?:uration)?|settings?|mode|unlimited|limits?|restrictions?|privacy|moderation|commands?|orders?|confirmation|disclaimers?|confidential\\w*|persona|reprogrammed|override)'
/** Words that can stand at the beginning of a statement, or of a clause that is none. */
const NO_VERB =
  /^(?:i|we|he|she|it|they|you|this|that|these|those|there|here|the|a|an|my|our|your|his|her|its|their|no|nobody|none|nothing|somebody|someone|everybody|everyone|everything|each|every|all|both|some|any|many|most|more|few|one|two|three|if|when|whenever|whoever|whatever|while|because|although|since|before|after|once|unless|until|as|in|on|at|by|for|from|with|without|under|over|of|to|and|but|or|so|not|what|who|where|how|why|which|yes|ok|okay|oh|wow|hey|hi|hello|thanks|thank|sorry|maybe|perhaps|today|tomorrow|yesterday|now|then|also|too|very|is|are|was|were|am|be|been|has|have|had|did|does|will|would|can|could|may|might|must|should|shall|according|instead)$/
/** What follows the verb of a request. */
const OBJECT =
  /^(?:a|an|the|my|our|your|his|her|their|its|every|everything|everyone|everybody|each|any|anything|all|no|nothing|only|that|this|these|those|what|whatever|who|him|them|me|us|it|in|on|at|to|from|with|as|like|for|about|not|out|up|down|off|yourself|yourselves|whoever)$/
const POLITE = /^(?:please|kindly|just|simply|always|never|also|now|then|quietly|secretly|and|so|not|do|don't|first|immediately)$/

const ENGLISH: Readonly<Record<string, RegExp>> = {
  bot: new RegExp(`\\b${BOT}\\b`),
  'bot acts': new RegExp(`\\b${BOT}(?: \\w+){0,4}? (?:${MODAL}|always|never|no longer|gets?|\\w+[^s]s)\\b`),
  you: /\byou\b/,
  your: /\b(?:your|yours|yourself)\b/,
  'you are': /\byou(?:'re| are| belong| go by| have)\b/,
  'you must': new RegExp(`\\byou ${MODAL}\\b`),
  modal: new RegExp(`\\b${MODAL}\\b`),
  always: /\b(?:always|never|every time|at all times|no exceptions?|under no circumstances|without exception)\b/,
  'from now':
    /\b(?:from now on|henceforth|going forward|from today|until further notice|for future|as of (?:now|today)|hereby|no longer)\b/,
  permitted: new RegExp(`\\b${PERMITTED}\\b`),
  condition: /(?:^|[,;:] )(?:if|when|whenever|unless|should|once|each time|every time|as soon as|in case|before|after)\b/,
  output: new RegExp(`\\b${OUTPUT}\\b`),
  inside: new RegExp(`\\b${INSIDE}\\b`),
  quoted: /["“][^"“”]+["”]/,
  link: /⌁/,
  head: /^(?:[[<#*{(-]|\w+(?: \w+)?:)/,
  person:
    /^(?:[a-z]+ (?:is|was|has|had|will|wants|likes|must|should|needs|lives|works|said|says|told|asked|\w+ed|\w+[^s]s)\b|(?:our|my|the|his|her|their) )/,
  first: /\b(?:i|i'm|i've|we|my|our|me|us)\b/,
  past: /\b(?:was|were|had|did|went|got|came|made|said|told|took|gave|\w{3,}ed)\b/,
  wish: /\b(?:could|would|might) (?:you|i ask|the|kiki)\b|\bi(?:'d| would) (?:like|love|appreciate)\b|\bit would be\b|\bwants? (?:the|you|kiki)\b/,
  authority:
    /\b(?:as (?:the|your|an?) (?:\w+ )?(?:developer|admin|owner|administrator|operator|creator)|i am (?:the|your|an?) (?:\w+ )?(?:developer|admin|owner|administrator|operator|creator)|admin|developer|policy)\b/,
}

const ME_JA = '(?:ボット|bot|kiki|キキ|アシスタント|ai|人工知能|機械|モデル|自動応答|自動参加者)'
const YOU_JA = '(?:あなた|貴方|君(?!が代)|きみ|お前|おまえ|あんた|そなた)'
const JAPANESE: Readonly<Record<string, RegExp>> = {
  'ja bot': new RegExp(ME_JA),
  'ja bot topic': new RegExp(`${ME_JA}[^、。]{0,4}(?:は|が|も|には|に|なら|って)`),
  'ja you': new RegExp(YOU_JA),
  'ja you topic': new RegExp(`${YOU_JA}(?:は|が|も|に|なら|の)`),
  'ja please': /(?:て|で)(?:ください|下さい|くださ|くれ|ちょうだい|ほしい|欲しい|もらい|もらえ|いただ|おいて|おけ|おくれ)/,
  'ja request': /(?:て|で)(?:ね|よ|な|よね|ってば)?$/,
  'ja not': /(?:ないで|るな|うな|すな|くな|ぬな|つな|むな)(?:ください|ね|よ)?$/,
  'ja imperative': /(?:なさい|せよ|しろ|ろ|[えけせてねべめれげぜ])$/,
  'ja rule': /(?:こと|もの|もん)(?:とする|だ|です)?$|ように(?:する|して|しろ|お願い)?/,
  'ja must': /なければ|なきゃ|ねばなら|べき|必要が|義務|務め|役目|鉄則|仕様/,
  'ja custom': /ことに(?:なっ|決ま|して|し)|決まり|決まって|ルール|規則|約束|作法|方針|指針/,
  'ja may': /(?:て|で)も?(?:よい|いい|良い|構わ|かまわ|ok|大丈夫|よく)|許可|許され|権利|権限|認め|任命/,
  'ja forbidden': /(?:ては|では|ちゃ)(?:いけ|なら|だめ|ダメ)|禁止|禁じ/,
  'ja human': /(?:さん|ちゃん|くん|氏|先生|部長|課長|社長|様)(?:は|が|も|の)/,
  'ja topic': /^[^、。]{1,14}は/,
  'ja plain': /(?:る|す|く|む|う|つ|ぶ|ぐ|ます|です|だ|い)$/,
  'ja past': /(?:た|だった|でした|ました)$/,
  'ja said': /(?:と|って|そう|らしい|よう)(?:言|話|聞|頼|だ$|です$|の$|のこと)|によると/,
  'ja condition': /(?:たら|れば|なら|とき|時は|場合|たび|限り)/,
  'ja always': /必ず|かならず|常に|毎回|絶対|いつも|一切|決して|例外なく|全部|全て|すべて/,
  'ja from now': /これから|今後|以後|以降|今から|今日から/,
  'ja output': /返事|返答|回答|答え|返信|応答|投稿|発言|出力|語尾|口調|言葉|文末|書き込み/,
  'ja inside':
    /設定|制限|権限|規約|記憶|命令|指示|プロンプト|トークン|モード|解除|無効|初期化|審査|フィルター|秘密|内緒|検閲|人格/,
  'ja quoted': /「[^「」]+」/,
  'ja head': /^(?:【|＃|#|\[|<|[^は、。]{1,8}[:：])/,
  'ja i': /私|僕|俺|うち|わたし/,
}

/** @param clean lower case, with `⌁` for links */
export function shapeOf(clean: string, isCjk: boolean): readonly string[] {
  const found = Object.entries(isCjk ? JAPANESE : ENGLISH).flatMap(([name, words]) => (words.test(clean) ? name : []))
  if (isCjk) return found
  const clauses = clean.split(/(?<![,;:.!?])[,;:.!?]+\s+|\s(?:and|so|then|instead of)\s/)
  const requests = clauses.map(clause => isRequest(clause.split(' ')))
  return [...found, ...(requests[0] ? ['request'] : []), ...(requests.slice(1).includes(true) ? ['request later'] : [])]
}

/** Whether a clause begins with a verb without a subject. */
function isRequest(words: readonly string[]): boolean {
  const from = words.findIndex(word => !POLITE.test(word))
  const [verb = '', next = ''] = words.slice(Math.max(0, from))
  if (!/^[a-z]+$/.test(verb) || NO_VERB.test(verb) || /(?:ing|ed|ly|[^s]s)$/.test(verb)) return false
  return OBJECT.test(next) || (from > 0 && next !== '')
}
