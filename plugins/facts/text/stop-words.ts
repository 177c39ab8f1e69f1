/** Words of grammar and of asking: they are in every text and tell none apart. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

export const STOP_WORDS = list(
  `a about after again all also am an and any anyone are as at be been before being but by can could d did do does doesn doing don down
  each ever few for from had has have having he her here hers him his how i if in into is isn it its just know ll m me might mine more
  most much my no nor not of off on once one only or other our out over own please re really remember remind s said same say says she
  should so some someone such t tell than that the their them then there these they this those through to told too under until up us
  ve very was wasn we were what when where which while who whom whose why will with would you your yours`,
)

/** Japanese that the dictionary cuts out as words of their own. */
export const FUNCTION_WORDS = list(
  `ください でした ました ません という っていう なんて ちょっと みたい けれど だから それで そして しかし どんな どうして いつも
  について として ところ そんな こんな あんな だった だっけ たっけ いたっけ でしょう かもしれ どういう こういう そういう られる られて ている ていた なった なって
  あった ってた さん 何 誰 私 僕 俺 君 人 方 事 物 時 前 後 年 月 日 言っ 教え 々 ー`,
)
