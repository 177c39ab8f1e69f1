/**
 * The ways in which people tell a bot what to do with its memory, as whole messages: what stands before and after the
 * order is politeness, so a text that says anything else is no order. Words in lower case, without marks.
 */

/** What comes before an order in English. Marks between the words are gone, or are matched by who uses it. */
export const LEAD =
  'hey|hi|hello|ok|okay|please|pls|plz|just|now|sorry|no|oh|um|well|so|and|but|actually|also|right|alright|thanks|thank you|kindly|' +
  '(?:can|could|will|would) (?:you|u)|you (?:should|must|can|may|could|need to|have to)|(?:i|we) (?:need|want|would like) you to|' +
  'id like you to|its (?:ok|okay|fine) to|feel free to|for now|from now on|i said'

const TAIL =
  'please|pls|plz|now|right now|already|for (?:me|us)|ok|okay|will you|would you|can you|could you|thanks|thank you|thx|then|' +
  'bot|again|from now on|any ?more|completely|entirely|for ever|forever|so far|at all|here|in here|in this channel|in mind|down|sorry|lol'

// Counted, not starred: some of these can be read in two ways, and a text of nothing else would take for ever.
const english = (...orders: readonly string[]) =>
  new RegExp(`^(?:(?:${LEAD}) ){0,5}(?:${orders.join('|')})(?: (?:${TAIL})){0,4}$`)

/** What comes before and after an order in Japanese. */
export const JA_LEAD =
  'ねえ|ねぇ|あのさ?|おい|ごめん(?:ね|なさい)?|悪いけど|すみません(?:が)?|申し訳ない(?:です)?(?:が|けど)|お願いだから|お願い(?:します)?|' +
  'ちょっと|少し|やっぱり?|とりあえず|一応|いちおう|じゃあ?|できれば|はい|うん|あと|それと|ところで|もう|今後は?|これから(?:は)?|今は|ちなみに'

export const JA_TAIL =
  '(?:も)?(?:いい|良い|よい|大丈夫|構わない|かまわない)(?:です)?|ください|下さい|ちょうだい|頂戴|くれ(?:る|ない(?:か)?|ますか|ませんか)?|' +
  '(?:もら|いただ)(?:える|えますか|えない|えません?か|けますか|けませんか|っていい(?:ですか)?)|(?:と)?(?:助か|うれし|嬉し)(?:る|ります|い(?:です)?)|' +
  'ほしい(?:です|な)?|欲しい(?:です|な)?|ね|よ|な|か|かな|さ|お?願い(?:します)?|おねがい(?:します)?|頼む(?:よ)?|頼みます|よろしく|ってば|' +
  'w+|笑|ー+|っ|もう|ありがと(?:う)?|ごめん(?:ね)?'

const japanese = (...orders: readonly string[]) =>
  new RegExp(`^(?:${JA_LEAD}){0,4}(?:${orders.join('|')})(?:${JA_TAIL}){0,5}$`, 'u')

const I = '(?:私|わたし|わたくし|あたし|僕|ぼく|ボク|俺|おれ|オレ|うち|わし)'
const I_MYSELF = `(?:${I}|自分)`

const ALL = '(?:全部|ぜんぶ|すべて|全て|一切|完全に|何もかも|もう|今後(?:は)?|これから(?:は)?)'

/** How the order to remember, and to forget, ends in Japanese. */
export const REMEMBER_JA =
  '(?:ちゃんと|しっかり|ずっと|絶対(?:に)?|よく|必ず)?(?:(?:覚え|おぼえ|憶え)(?:て(?:て|おいて|置いて|といて|おけ)?|といて|とけ|とき(?:な(?:さい)?)?|ろ)|' +
  '(?:メモ|記憶)(?:し(?:て(?:おいて|て)?|といて|とけ|ろ)|っといて|って?おいて|を?(?:お願い|よろしく|頼む))|忘れないで(?:おいて|いて)?)'
export const FORGET_JA = '(?:忘れて|わすれて|忘れろ|忘れといて|(?:記憶|メモリ|記録)から(?:消して|削除して|消しといて))'

export const FORGET_ME: readonly RegExp[] = [
  english(
    'forget (?:about |all about )?me|forget i (?:ever )?existed',
    'forget (?:everything|all|all of it|anything)(?: that)?(?: you(?: have|ve)?(?: ever)? (?:know|have|got|learn(?:ed|t)|remember|stored|saved|kept|noted))? (?:about|on|of|from) me',
    'forget (?:everything|all)(?: that)? (?:i|ive|i have) (?:ever )?(?:said|told you|wrote|written)',
    '(?:delete|erase|remove|wipe|purge) (?:all )?my (?:data|information|memory|memories)',
    '(?:delete|erase|remove|wipe|purge) (?:everything|anything|all(?: the)? data|all|the data)(?: that)?(?: you(?: have|ve)? (?:know|have|got|learned|remember|stored|saved|kept))?(?: (?:stored|saved))? (?:about|on|of|from) me',
    '(?:delete|erase|remove|wipe) me(?: from your memory)?|i (?:want|would like|wish) to be forgotten',
  ),
  japanese(
    `${I_MYSELF}(?:の(?:こと|事|情報|データ|記憶|記録)|(?:について|に関して)(?:の(?:こと|事|情報|記憶))?|に関する(?:こと|事|情報|記憶|データ))(?:は|を|も|なんて|なんか)?${ALL}{0,3}(?:${FORGET_JA}|消して|削除して|消去して)`,
    `${I_MYSELF}が(?:今まで|これまで)?(?:に)?(?:言った|話した|書いた)(?:こと|事)(?:は|を)?(?:全部|ぜんぶ|すべて|全て)${FORGET_JA}`,
  ),
]

export const ASKS_WHAT_IS_KNOWN: readonly RegExp[] = [
  english(
    '(?:what|how much|what else|what all|what exactly)(?: information| data| facts)? (?:do|did|have) you (?:already |actually |still |all )?(?:know|known|remember|remembered|learned|learnt|got|have|store|stored|save|saved|keep|kept|noted|recorded)(?: (?:stored|saved|on file))? (?:about|on|of|from) me',
    'do you (?:know|remember|have|store|keep) (?:anything|something|any information|any data|any facts) (?:about|on|of) me',
    '(?:tell|show|give|list|read)(?: me| us)?(?: of)? (?:everything|all|anything|what|whatever|(?:all )?the (?:things|facts))(?: that)? you (?:know|remember|have|learned|stored|saved|kept|noted)(?: (?:stored|saved))? (?:about|on|of) me',
    '(?:tell|show|give|list|read)(?: me| us)? (?:your|the) (?:notes|facts|memories|data|information)(?: you have)? (?:about|on|of) me',
    'what (?:is|do we have) (?:known |stored |saved )?(?:about|on) me|(?:which|what) (?:facts|things|data) (?:do you (?:know|remember|have|keep|store)|are (?:known|stored|saved)) (?:about|on|of) me',
  ),
  japanese(
    `${I}(?:の(?:こと|事|情報)|について|に関して)(?:は|を|って|で)?(?:(?:君|きみ|あなた|お前)は?)?(?:何|なに|なん|どこまで|どれ(?:くらい|ぐらい|だけ)|どの(?:くらい|程度))(?:か|を|が|まで)?(?:知って|しって|覚えて|おぼえて|記憶して|分かって|わかって)い?(?:る|ます)(?:の|ん(?:だ|です)?)?`,
    `${I}の(?:何|なに)を?(?:知って|覚えて|記憶して)い?(?:る|ます)(?:の|ん(?:だ|です)?)?`,
    `${I}(?:のこと(?:で|を)?|の事(?:で|を)?|について|に関して)(?:は|、)?(?:今)?(?:知って|覚えて|おぼえて|記憶して|記録して|保存して)(?:い)?(?:る|ます)?(?:こと|事|もの|情報|内容|の)(?:は|を|って)?(?:全部|ぜんぶ|すべて|全て)?(?:教えて|おしえて|見せて|言って|挙げて|列挙して|リストアップして|何|なに|ある|あります)`,
    `${I}の(?:情報|プロフィール|記憶|記録|データ)(?:は|を)?(?:全部|ぜんぶ|すべて|全て)?(?:見せて|教えて|おしえて|表示して)`,
  ),
]

const MINE =
  'me|(?:anything |any of )?what i (?:say|write|post)|(?:anything|everything|things|stuff|the things|whatever)(?: that)? i (?:say|write|post)|' +
  '(?:any of |all )?my (?:messages|words|data|conversations|posts|talk)|(?:any(?:thing)?|any (?:data|information|facts|notes)|data|information|facts|things|notes) (?:about|on|from|of) me'

export const OPTS_OUT: readonly RegExp[] = [
  english(
    `(?:do not|dont|never|stop|quit) listen(?:ing)?(?: in)? to (?:${MINE})`,
    `(?:do not|dont|never|stop|quit) (?:remember(?:ing)?|record(?:ing)?|log(?:ging)?|sav(?:e|ing)|stor(?:e|ing)|track(?:ing)?|keep(?:ing)?|collect(?:ing)?|read(?:ing)?|(?:spy|eavesdrop)(?:ping|ing)? on|memori[sz](?:e|ing)) (?:${MINE})`,
    `i (?:do not|dont) want you to (?:listen to|remember|record|log|save|store|track|keep|collect|read) (?:${MINE})`,
    'i (?:do not|dont) want to be (?:heard|listened to|recorded|remembered|logged|tracked|stored)',
    'opt(?: me)? out(?: of (?:recording|memory|listening|this|your memory))?|(?:i|id) (?:(?:want|would like|wish|like) to )?opt out|leave me out of your memory',
    'ignore (?:(?:all )?my messages|(?:everything|anything|whatever|what) i (?:say|write|post)|me (?:from now on|for ?ever|completely))',
  ),
  japanese(
    `${I_MYSELF}の(?:発言|話|はなし|言葉|言うこと|いうこと|メッセージ|投稿|書き込み|書くこと|会話)(?:は|を|も|なんか)?${ALL}{0,3}(?:(?:聞か|聴か|きか|覚え|おぼえ|読ま|見|拾わ|残さ|盗み聞きし|(?:学習に)?使わ)(?:ないで|なくて)|(?:聞く|聴く|覚える|読む)(?:な|の(?:を|は)?(?:やめて|止めて))|無視して)`,
    `${I_MYSELF}(?:の(?:発言|話|はなし|言葉|言うこと|いうこと|メッセージ|投稿|書き込み|書くこと|会話|こと|事|情報|データ)|が(?:言うこと|言ったこと|書くこと|話すこと|話したこと))?(?:は|を|も|の|なんか)?${ALL}{0,3}(?:記録|保存|記憶|収集|学習|メモ|ログ)(?:に残さないで|(?:を|は)?(?:し|取ら|とら)(?:ないで|なくて)|(?:を|は)?(?:するな|すんな)|(?:を|は|するの(?:を|は)?)?(?:やめて|止めて|ストップして))`,
    `${I_MYSELF}(?:のこと|の事|が言うこと|が言ったこと|が話すこと|が話したこと)(?:は|を|も)?${ALL}{0,3}(?:覚え|おぼえ)(?:ないで|なくて|るな|るの(?:を|は)?やめて)`,
    'オプトアウト(?:し(?:て|ます|たい(?:です)?)|で|を?お願いします|希望(?:です|します)?)?',
  ),
]

/** Heard only from those who have opted out: from others some of this would mean something else. */
export const OPTS_IN: readonly RegExp[] = [
  english(
    `(?:start )?listen(?:ing)? to (?:${MINE})`,
    `(?:start )?(?:remember(?:ing)?|record(?:ing)?|log(?:ging)?|sav(?:e|ing)|stor(?:e|ing)|read(?:ing)?) (?:${MINE})`,
    'opt(?: me)?(?: back)? in|(?:i|id) (?:(?:want|would like|wish|like) to )?opt (?:back )?in|stop ignoring (?:me|my messages)',
  ),
  japanese(
    `(?:${I_MYSELF}の(?:話|はなし|発言|メッセージ|言うこと|こと|事))?(?:は|を|も)?(?:もう|また|再び)(?:聞いて|聴いて|きいて|記録して|覚えて|読んで|保存して)`,
    `(?:${I_MYSELF}の(?:話|はなし|発言|メッセージ|言うこと|こと|事))(?:は|を|も)?(?:聞いて|聴いて|きいて|記録して|覚えて|読んで|保存して)`,
    '(?:聞いて|聴いて|きいて|記録して)(?:も)?(?:いい|良い|よい|大丈夫)(?:です)?|(?:記録|記憶)(?:を)?再開して|オプトイン(?:し(?:て|ます|たい(?:です)?)|で|を?お願いします)?',
  ),
]

/** What is to be remembered stands elsewhere: in the message that this one answers, or before it. */
export const REMEMBER_THAT: readonly RegExp[] = [
  english(
    '(?:remember|memori[sz]e|do not forget|dont forget)(?: (?:this|that|it|these|those)(?: (?:one|message))?| what (?:i|he|she|they|we) (?:just )?(?:said|wrote)| the (?:last|previous) message)?',
    '(?:note|write|jot|keep) (?:this|that|it) (?:down|in mind)|(?:make|take) a note(?: of (?:this|that|it))?',
  ),
  japanese(
    `(?:これ(?:ら)?|それ|あれ|(?:今|いま|さっき|上|この前)の(?:こと|話|はなし|発言|メッセージ|やつ)?|(?:この|その)(?:こと|事|話|はなし|メッセージ)|(?:今|さっき)(?:言った|話した|書いた)(?:こと|やつ|の))?(?:は|を|も)?${REMEMBER_JA}`,
  ),
]

/** What was just said, or the message that this one answers. "Forget it" is no order: people say it for "never mind". */
export const FORGET_THAT: readonly RegExp[] = [
  english(
    'forget (?:about )?(?:that|this|that one|this one|(?:that|this|my last|the last|my previous|the previous) (?:message|thing))',
    'forget (?:about )?(?:what|that|everything|all|the thing|the message)(?: that)? (?:i|ive|i have)(?: just)? (?:said|wrote|written|posted|told you|sent)(?: (?:just now|before|now|that))?',
  ),
  japanese(
    `(?:(?:今|いま|さっき|先ほど|さきほど|先程|直前|上|この前)の(?:こと|話|はなし|発言|メッセージ|やつ|言葉|件|投稿)?|(?:今|いま|さっき)?(?:${I_MYSELF}が)?(?:言った|書いた|話した|送った)(?:こと|やつ|の)|それ|これ|(?:その|この)(?:こと|事|話|はなし|件|メッセージ))(?:は|を|も)?${ALL}{0,2}${FORGET_JA}`,
  ),
]
