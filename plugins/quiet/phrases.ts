/**
 * The ways in which people ask a bot to be quiet, and let it talk again, as whole messages: what stands before and after
 * the order is politeness, so a text that says anything else is no order. Words in lower case, without marks.
 */

const LEAD =
  'hey|hi|ok|okay|please|pls|plz|just|now|sorry|no|oh|um|well|so|and|but|right|alright|thanks|thank you|seriously|really|kindly|' +
  '(?:can|could|will|would) (?:you|u)|you (?:should|must|can|may|need to|have to)|(?:i|we) (?:need|want|would like) you to|' +
  'would you mind|id like you to|wed like you to|i said|time to|try to|for now|everyone|guys'

const TAIL =
  'please|pls|plz|now|right now|already|for now|for (?:a|one|the) (?:little while|while|bit|moment|second|sec|time being)|a (?:bit|little|moment|while)|' +
  'for (?:me|us)|ok|okay|will you|would you|can you|could you|thanks|thank you|thx|today|tonight|here|in here|in this channel|then|man|dude|bot|' +
  'until (?:i|we|someone|somebody) (?:call|calls|ask|asks|need|needs|say|says|mention|mentions|tell|tells)(?: for)?(?: you)?(?: so| otherwise)?(?: again)?|' +
  'unless (?:asked|called|spoken to|mentioned)|all ?right|lol|everyone|guys|yourself|again|so much|too much|i mean it|seriously|you|sorry|from now on|any ?more|to (?:everything|everyone|every message|us|me)'

// Counted, not starred: some of these can be read in two ways, and a text of nothing else would take for ever.
const english = (...orders: readonly string[]) =>
  new RegExp(`^(?:(?:${LEAD}) ){0,5}(?:${orders.join('|')})(?: (?:${TAIL})){0,5}$`)

const JA_LEAD =
  'ねえ|ねぇ|あのさ?|おい|ごめん(?:ね|なさい)?|悪い(?:ん(?:だ)?)?けど|すまんが?|すみません(?:が)?|申し訳ない(?:です)?(?:が|けど)|お願いだから|お願い(?:します)?|頼む(?:から)?|' +
  'ちょっと(?:の間)?|少し(?:の間)?|すこし|ちょい|しばらく(?:の間)?|暫く|もう(?:少し)?|いったん|一旦|一回|今は|いまは|今日は|今だけ|今|とりあえず|本当に|ほんとに|いいから|だから|はい|うん|じゃあ?|そろそろ|また|' +
  'ここでは|君は|きみは|お前は|おまえは|あなたは|みんな'

const JA_TAIL =
  'て|い(?:て|ろ)|ください|下さい|ちょうだい|頂戴|くれ(?:る|ない(?:か)?|ますか|ませんか)?|(?:もら|いただ)(?:える|けるか?|えますか|えませんか|えない|けますか|けませんか|っていい(?:ですか)?)|(?:と)?(?:助か|うれし|嬉し)(?:る|ります|い(?:です)?)|' +
  'ほしい(?:です|な)?|欲しい(?:です|な)?|です|ます|ね|よ|な|か|かな|さ|お?願い(?:します|だ)?|おねがい(?:します)?|頼む(?:よ)?|頼みます|よろしく|ってば|って|しばらく|今は|今日は|ちょっと|少し(?:だけ)?|だけ|の|から|' +
  'w+|笑|草|ー+|っ|もう|ありがと(?:う)?|みんな'

const japanese = (...orders: readonly string[]) =>
  new RegExp(`^(?:${JA_LEAD}){0,5}(?:${orders.join('|')})(?:${JA_TAIL}){0,6}$`, 'u')

/** Said plainly, this can only be meant for somebody who talks too much. */
export const ASKS_FOR_QUIET: readonly RegExp[] = [
  english(
    '(?:be|being|stay|keep|remain|go) (?:(?:very|really|more|completely|totally|absolutely|a bit|a little) )?(?:quiet(?:er)?|silent|still)',
    'quiet(?: down)?|silence|hush(?: up| now)?|sh+h|shush(?: up)?|shut(?:ting)? (?:up|it|your (?:mouth|trap|face))|stfu|pipe down|zip (?:it|your lips)',
    'put a sock in it|keep it down|keep your mouth shut|hold your (?:tongue|peace)|(?:say|write) nothing|not (?:a|another|one more) word',
    'mute(?: yourself)?|no (?:more )?(?:talking|replies|messages|comments|chatter|posts)|(?:(?:i|we) (?:need|want)|id like) (?:some|a bit of) (?:peace and )?quiet',
    'stop (?:talking|chatting|chattering|posting|replying|responding|answering|messaging|speaking|commenting|(?:butting|chiming|jumping) in|interrupting(?: us)?|interfering|spamming)',
    '(?:do not|dont) (?:talk|speak|reply|respond|answer|post|comment|say (?:anything|a word|another word)|(?:chime|butt|jump) in|interrupt(?: us)?|disturb us)',
  ),
  japanese(
    '(?:黙|だま)(?:れ|って|っと(?:いて|け)|りなさい)|お(?:黙|だま)り(?:なさい)?',
    'お?(?:静|しず)かに(?:して?|しろ|しなさい|し(?:と|てお)いて|願い(?:します)?|頼む|なって|お願い(?:します)?)?|静粛に|シーッ?|しーっ?',
    '(?:喋|しゃべ|しゃべん|話|話し|話しかけ)(?:ら|さ)?ないで|(?:喋|しゃべ)るな|しゃべんな|話すな|話しかけるな',
    '(?:発言|返事|返信|返答|応答|投稿|反応|口出し|邪魔)(?:を|は|も)?(?:しないで|すんな|するな|やめて|止めて|控えて)',
    '口を?(?:挟まないで|出さないで|閉じて|つぐんで|慎んで)|お?口に?チャック|割り込まないで|入ってこないで|首を?突っ込まないで',
    '(?:お(?:しゃべり|喋り)|(?:喋|しゃべ)るの|話すの)(?:は|を)?(?:やめて|止めて|ストップ|控えて)|ミュート(?:して|で|に(?:して|なって))?',
  ),
]

/** This is meant for the bot only when it is said to it. */
export const HINTS_AT_QUIET: readonly RegExp[] = [
  english(
    'stop(?: it| that)?|(?:thats )?enough|give (?:us|me) (?:of )?(?:silence|quiet|peace)|give (?:it|us|me) (?:a (?:break|rest|moment|minute)|some (?:peace|quiet|space|peace and quiet))|go away|back off',
    'leave (?:us|me) (?:alone|in peace|be)|(?:take|have) a (?:break|nap|rest)|(?:go to )?sleep|(?:stay|keep) out of (?:it|this)|knock it off|cut it out',
  ),
  japanese(
    'うるさい|うるせ[ーえぇ]*|やかましい|ストップ|やめて|止めて|休んで|休憩して|寝て|引っ込んで|控えて|遠慮して|おとなしくして|大人しくして|邪魔しないで',
    'そっとして(?:おい)?|放っておいて|ほっと(?:い|て)て|(?:静|しず)かにしよう',
    '(?:喋ら|しゃべら|しゃべん|話さ|(?:発言|返事|返信|返答|応答|反応)し)なくて(?:も)?(?:いい|大丈夫)',
  ),
]

/** The end of it. */
export const LETS_TALK: readonly RegExp[] = [
  english(
    '(?:you (?:can|may|could)|(?:its|it is) (?:ok|okay|fine|alright)(?: for you)? to|feel free to|youre (?:free|allowed|welcome) to) (?:talk|speak|chat|reply|respond|post|join(?: in)?|chime in|come back)(?: (?:to|with) us)?',
    '(?:talk|speak|chat|join(?: in)?)(?: (?:to|with) us)? again|speak (?:up|freely)|un ?mute(?: yourself)?|come back|wake up|youre unmuted|stop being (?:quiet|silent)|say something|back to normal',
    '(?:you (?:do not|dont) (?:have|need) to|no need to|neednt) be (?:quiet|silent)',
  ),
  japanese(
    '(?:もう|そろそろ|また)(?:いい|大丈夫|平気|ok|おk)(?:だ|です)?',
    '(?:喋|しゃべ|話し|発言し|返事し|入って(?:き|来)|戻って(?:き|来)|参加し|口出しし)っ?ても?(?:いい|良い|よい|大丈夫|平気|ok|おk|構わない|かまわない)(?:だ|です)?',
    '(?:ミュート)?解除(?:し(?:て|ます)|で)?|戻って(?:おいで|きて|来て)(?:いい)?|(?:喋|しゃべ)って|話して|起きて|復帰して',
    '(?:静かにし|黙ら|黙って(?:い)?)なくて(?:も)?(?:いい|大丈夫)(?:だ|です)?',
  ),
]
