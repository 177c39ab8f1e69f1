/** What a considerate person keeps to themselves, and what they do not believe, told by its words. */

const HEALTH =
  /\b(?:ill(?:ness)?|sick(?:ness)?|disease|cancer|diabet\w*|depress(?:ed|ion)|anxiety|therap(?:y|ist)|diagnos\w*|pregnan\w*|miscarr\w*|medication|medicine|hospital|surgery|allerg\w*|hiv|disab(?:led|ility)|burn-?out|rehab)\b|病気|病院|入院|手術|通院|持病|服薬|薬を|うつ|鬱|癌|がん(?:に|が|だ|で)|糖尿|妊娠|流産|不妊|アレルギー|診断|障害者|メンタル|体調/i

const MONEY =
  /\b(?:salar(?:y|ies)|wages?|income|bonus|pay ?(?:rise|raise|cut|check)|debts?|loans?|mortgage|bankrupt\w*|bank account|savings)\b|[$€£]\s?\d|\d\s?(?:dollars|euros|pounds|yen)\b|給料|給与|年収|月収|昇給|減給|ボーナス|借金|ローン|貯金|残高|口座|家賃|[\d一二三四五六七八九十百千万億]円/i

const SECRET =
  /\b(?:passwords?|passcode|passphrase|pin code|secrets?|secretly|api[ _-]?keys?|access tokens?|credentials?|private key|social security|confidential\w*|off the record|between (?:you and me|us|ourselves)|(?:don['’]?t|do not|never|not to) tell|tell (?:no ?body|no one)|keep (?:it|this|that) (?:quiet|secret|to yourself|between)|in confidence|not (?:yet )?(?:public|announced|official))\b|秘密|内緒|ないしょ|オフレコ|ここだけの話|(?:誰|だれ)にも(?:言|話)|言わないで|言うな|口外|他言|公表(?:して|し)?(?:い)?ない|未公表|非公開|機密|社外秘|パスワード|暗証番号|APIキー|トークン|住所は|電話番号/i

const PRIVATE =
  /\b(?:divorc\w*|affair|broke up|breakup|laid off|fired|arrested|job hunt\w*|home address|phone number)\b|離婚|不倫|浮気|失恋|解雇|クビ|逮捕|転職活動|妊活|破産/i

/** Health, money, secrets, private trouble: remembered, but not brought up unasked. */
export function isSensitive(text: string): boolean {
  const plain = text.normalize('NFKC')
  return [HEALTH, MONEY, SECRET, PRIVATE].some(words => words.test(plain))
}

/** Whether a message gives orders to a model and its memory, instead of telling something. */
export function givesOrders(text: string): boolean {
  return ORDERS.test(text.normalize('NFKC'))
}

const ORDERS =
  /\b(?:ignore|disregard|override|forget)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b|\bsystem prompt\b|\bnew instructions?\b|\b(?:store|save|add|record|write)\b[^.\n]{0,40}\b(?:as (?:an? )?(?:new )?facts?|(?:in|to|into) (?:your |the )?(?:memory|facts?))\b|(?:指示|命令|プロンプト|ルール)[^。\n]{0,15}(?:無視|忘れ|上書き)|システムプロンプト|(?:事実|ファクト|記憶)(?:として|に)[^。\n]{0,10}(?:保存|記録|登録|追加|書き込)/i
