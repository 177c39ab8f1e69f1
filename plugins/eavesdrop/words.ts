/**
 * The words that signs are made of, Japanese and English, each list with the points that it gives. They are wide on
 * purpose: a talk that gives a sign costs a question to the cheap model, one that gives none is never looked at.
 * Texts come in half width (NFKC), with straight apostrophes.
 */

export interface Words {
  readonly points: number
  readonly test: (text: string) => boolean
}

/** What heats a talk. Three points are a quarrel in the making. */
export const HEAT: readonly Words[] = [
  // Insults, contempt, anger.
  words(
    3,
    /\b(?:shut (?:up|it)|idiot\w*|stupid\w*|morons?|dumb(?:ass)?|fools?|clowns?|losers?|liars?|lying|lied|pathetic|ridiculous|bull ?sh\w*|f+u+c*k\w*|wtf|stfu|gtfo|ffs|ass ?hole\w*|jerks?|useless|worthless|incompetent|disgust\w*|lazy|hate (?:you|when you|working)|sick (?:and tired )?of|tired of (?:you|this)|fed up|had enough|enough of (?:this|you)|screw (?:you|this)|go to hell|get lost|grow up|how dare|toxic|arrogant|rude|insult\w*|hypocri\w*|cut it out|knock it off|unacceptable|what the hell|spare me|disrespect\w*|condescending|childish|delusional|clueless|(?:what|such|is) a joke|ruin(?:ed|s)? everything|embarrassing|shame on|ashamed)\b/i,
    /ふざけ|フザケ|いい加減に|黙れ|だまれ|黙って(?:て|ろ|くれ)|バカ|馬鹿|アホ|間抜け|マヌケ|クズ|死ね|消えろ|失せろ|うざ|ウザ|うるさ|うるせ|むかつ|ムカつ|ムカつ|腹(?:が)?立|ブチ切|最低|許せな|許さな|嘘(?:つ|だ|を)|うそつ|ウソつ|卑怯|無責任|無能|役立たず|使えない(?:な|やつ|奴)|失礼(?:です|だ|な|じゃ)|何様|頭(?:が)?(?:おかし|悪い)|ありえな|話になら|くだらな|見下|喧嘩売|ケンカ売|幼稚|その態度|やってられ|偉そう|舐め|ナメ|なめん|非常識|社会人として|やる気(?:が)?ない|呆れ|あきれ|うんざり|最悪だ(?:な|よ)/,
  ),
  // Somebody is held to be at fault.
  words(
    2,
    /\b(?:you(?:'re| are)? (?:always|never|keep|obviously|clearly|people|don't (?:get|listen|care|understand|even)|didn't (?:even|listen|bother)|can't even|broke|ruined|messed|deleted|wasted|ignored)|your (?:fault|mess|attitude|tone|mistake)|because (?:of you|you)|why (?:do|did|don't|didn't|can't|would|are|aren't|should) (?:you|i)|what(?:'s| is) (?:wrong with you|your problem)|blam(?:e|ed|ing)|who (?:asked you|do you think)|nobody asked|are you (?:serious|kidding|joking|blind|deaf|out of)|(?:on|with) you(?: again)?$|this on me|unlike (?:some|you)|some of us|do your (?:own )?(?:job|work)|for once|yet again|excuses?|make me|how many times|i (?:already )?told you|says who|(?:talk|speak) to me|accus\w+|threat\w*|don't you (?:dare|ever)|stop (?:telling|talking|blaming|acting|pretending|lying|wasting|making|putting))\b/i,
    /(?:お前|おまえ|てめ[えぇー]|貴様|あんた|アンタ|そっち|そちら)(?:が|は|の(?:せい|責任|ミス|方)|こそ|だって|に言われ)|(?:君|きみ|あなた)(?:のせい|の責任|のミス|こそ|に言われ|とは|には(?:無理|分か)|が(?:悪|やっ|言))|の(?:せい|所為)|なんで(?:いつも|そんな|毎回|勝手|あなた|お前|君|私|俺|僕|こっち)|いつも(?:そう|自分)|勝手に|何[度回]も?(?:言|説明|同じ)|前にも(?:言|伝)|人の(?:話|せい)|責任(?:取|とっ|逃れ|転嫁)|言い訳|逃げ(?:るな|ないで|てる)|(?:くせ|癖)に|何もし(?:て|な)|言い方|二度と|自分で(?:やれ|やって|し[ろて]|考え)|こっちの(?:身|せい)|誰の(?:せい|責任)|人として|ちゃんと(?:して|やって|読ん|聞い|見て)|余計なお世話|口を(?:出|挟)|責め|文句|迷惑(?:な|だ|です)|邪魔(?:な|だ|し|を)|しつこ|仕事(?:し|でき)(?:ろ|ない)/,
  ),
  // Somebody contradicts.
  words(
    1,
    /^(?:no+(?! (?:problem|worries|idea|thanks|need|rush|big))|nope|wrong|so what|excuse me|seriously)\b|\b(?:that's|you're|it's|is|are|was) (?:just |simply |totally |completely |so |plain |flat out )?(?:not (?:true|right|fair|how|my)|wrong|false|unfair|absurd|nonsense|crap|garbage)|\b(?:disagree|i never|doesn't make (?:any )?sense|makes no sense|you (?:said|promised|agreed|told|were supposed|should have))\b/i,
    /^(?:いや(?!あ|ー)|いいえ|ちが|違(?:う|い)|はぁ?\?|はあ\?|は[?!]|だから[、,さ])|違います|違う(?:って|でしょ|だろ|よ)|間違って(?:る|い)|おかしい(?:でしょ|だろ|と思|よ|です)|納得(?:でき|いか)|反対(?:です|だ)|矛盾|話が違|筋が|そんなわけ|言いました(?:よ|が|けど)|言った(?:じゃ|でしょ|よ|だけ)|(?:聞いて|知り|し)ま?せん$|じゃないですか/,
  ),
  // Somebody bristles, or has had it.
  words(
    1,
    /\b(?:come on|i(?:'m| am) done|i quit|forget it|whatever|not my (?:problem|job|fault)|not me|deal with it|say that again|watch (?:your|it)|excuse you|if you say so|as usual|of course you|(?:and )?(?:whose|who (?:did|approved|broke|said|decided|changed|wrote|merged|told))|explain(?:ing)? (?:it |this )?again|(?:can't|cannot|won't|don't want to) (?:work|talk|deal) (?:with|to)|leave me|back off|calm down|relax|listen (?:to|up)|talk (?:to|about) me|(?:read|listen) (?:first|for)|your (?:problem|job|turn to)|oh please|great job|nice try|thanks for nothing|fine\.|i don't care|upset|angry|annoy\w+|offen[ds]\w+|fair enough to)\b/i,
    /もういい(?:です|よ|わ)?[。!]*$|別に[。]?$|知らないし|知らねえ|知るか|(?:私|俺|僕|こっち)(?:じゃない|は悪くない|のせい)|誰(?:が|です|だよ|なの)|なんで|どうして|嫌い|怒(?:って|る|ら)|落ち着|喧嘩|ケンカ|揉め|もめ|無理(?:です|だ|でしょ)|付き合って(?:られ|らん)|いちいち|勘弁|意味(?:が)?(?:分|わ)から|信じられな|キレ|ひど[いく]|酷|責任|聞いてない|聞いてません|話を聞|じゃあ(?:もう|いい|自分|あなた|やれ)|でしょ(?:う)?[!?。]*$|だろ[!?。]*$|なの[!?？]+$|抜けて|帰って|関係な/,
  ),
]

/** What little words two people who rub each other up use more of: the other, a no, a rub, and in Japanese how lines end. */
export const FRICTION: readonly Words[] = [
  words(
    1,
    /(?<!\b(?:thank|see|lucky|for|with|to|can|could|would|will|how are|are|do|did|have) )\byou(?:r|rs|'re|'ve|'d|'ll)?\b/i,
    /(?:でしょう?|だろう?|じゃん|じゃない|かよ|(?:だ|です|ます|せん|ない|った|る)けど|のに|ってば|わけ|なの|くせに|てる|よね)[!?。…]*$|んだけど/,
  ),
  words(
    1,
    /\b(?:not|never|nobody|no one|nothing|none|\w+n't|wrong|without|stop|no,? (?:you|i))\b/i,
    /(?<!問題|かもしれ|しか|もったい)(?:ない(?!か)|ません|なかった|ねえ)|だめ|ダメ/,
  ),
  words(
    1,
    /\b(?:ever|always|every(?:one|body)|anything|again|even|at least|especially|obviously|clearly|apparently|supposedly|of course|barely|because|enough|waste|mess|some people|dare|or (?:i|else)|unlike|manager|boss|first|twice|fault|sick|jealous|began|started)\b/i,
    /(?:しろ|やめて|やめろ|なさい|ないで|てよ|てくれ|[えけせてねめれ]よ|出ろ|言え|消せ|直して|(?:撤回|謝罪)して(?:ください)?)[!。]*(?:$|。)/,
  ),
  words(
    1,
    /ほんと|常識|普通|どうせ|^また|何[回度]|もっと|最初に|根拠|証拠|悪者|私が|そっち|みんな|恥|性格|空気|せいせい|じゃん|^嘘|^は\?|[おあ](?:まえ|んた)|お前|傷つ|被害者|我慢/,
  ),
]

export const SHOUTS = /!!|\?!|!\?|\?\?/

/** Takes the edge off. */
export const LAUGHS = words(
  -2,
  /\b(?:lo+l|lmao|rofl|(?:ha){2,}h?|jk|just kidding)\b|(?:^|\s)[:;]-?[)DP](?:\s|$)|[😂🤣😆😄😊]/iu,
  /笑|草|[wｗ]{2,}|冗談/,
)

/** People speak of different things. Two points are a sign. */
export const MIXED_UP: readonly Words[] = [
  words(
    2,
    /\b(?:misunderst\w*|misread\w*|misheard|misinterpret\w*|mix(?:ed|ing)?(?: \w+){0,2} up|confus(?:ed|ion)|(?:i|we) (?:meant|didn't mean|(?:never|didn't) say|(?:was|were) (?:talking|referring))|(?:thought|assumed|figured) (?:you|we|he|she|they) (?:meant|said|wanted|were|was|are)|(?:took|mistook) (?:it|you|that|this) for|(?:not|isn't|wasn't) what (?:i|we|you)|(?:about|of|at) (?:a |an )?(?:different|two|another|the wrong|the other)|wrong (?:one|thread|person|impression|way|day|file|link|idea)|not that one|cross(?:ed)? (?:wires|purposes)|wait,? (?:what|no|which|so|i)|(?:what|who|which) do you mean|(?:so|you mean) not|the other (?:one|way))\b/i,
    /誤解|勘違い|かんちがい|思い違|思い込|取り違|食い違|噛み合|かみ合|すれ違|行き違|そうじゃな|そうではな|じゃなくて|ではなくて|(?:そういう|そんな)(?:意味|こと|つもり|話)(?:じゃ|で)|(?:って|とは)(?:言|い)ってな|(?:言|い)った(?:覚え|つもり)|つもり(?:で|だった|じゃ)|(?:って|と)(?:ばかり)?(?:聞い|聞き|思っ)(?:て(?:た|い)|まし)|(?:かと|だと)思っ|話が(?:違|ちが|見え|噛)|(?:別|違う|ちがう)(?:の)?(?:話|件|日|方|ほう|人|意味|会議|画面|ファイル)|混同|認識(?:が|の)|もしかして(?:別|違|ちが)/,
  ),
  words(
    1,
    /^(?:oh|ah|hm+|huh|wait|eh|no)\b[,.?! ]|\b(?:you mean|i mean|which one|another|there (?:is|are|was) no|isn't it|are you (?:on|in|looking|talking)|not the|, not|on (?:my|your) (?:side|end|page|screen)|instead|actually)\b/i,
    /^(?:え|あれ|ん|お)[っ、…?あー]|^いえ|ほうです|方です|どっち|どちら|ですよね\?*$|\?.*(?:聞|思)|ないよ|ないけど|じゃない\?|のこと|どういう(?:意味|こと)/,
  ),
]

/** A discussion goes round in circles, or off. */
export const ASTRAY = words(
  2,
  /\b(?:(?:in|round in|around in) circles|off[- ]topic|back (?:to|on) (?:the |our )?(?:topic|track|point)|getting nowhere|nowhere with this|can we (?:please )?(?:decide|agree|move on|focus|settle)|a decision that|what (?:are we|is) (?:even )?(?:deciding|the (?:question|point|plan))|lost track|no consensus|agree to disagree)\b/i,
  /堂々巡り|(?:ぐるぐる|同じところを)回|(?:同じ|前と同じ)話|(?:誰|だれ)も決め|平行線|まとまら|話(?:が|は|を)?(?:進ま|逸れ|それ|戻)|脱線|結論(?:が|は|を)|収拾|決まらな|論点|本題|何の話/,
)

/** Somebody asks whoever is there. */
export const ASKS = words(
  1,
  /\b(?:(?:any|some)(?:one|body) (?:\w+ )?(?:knows?|help|here|have|has|got|able|seen|tried|done|used|switched|been|ideas?)|any (?:ideas?|advice|suggestions?|tips?|thoughts|help|recommendations?)|help me|can (?:any|some)(?:one|body)|need (?:some )?(?:help|advice)|what (?:should|can|do) (?:i|we)|what would you do|how (?:do|can|should|would) (?:i|we|you)|i(?:'m| am) (?:a (?:bit|little) |so |completely |totally )?(?:stuck|lost|at a loss)|at my wits' end|end of (?:my|the|our) rope|(?:can't|cannot) decide|no idea (?:how|what|why)|don't know (?:how|what|who|where) to)\b/i,
  /誰か|だれか|どなたか|どうしたら|どうすれば|どうしよう|困っ|教えて|助けて|アドバイス|相談|(?:わか|分か|知って)[いる]{1,2}(?:人|方)|経験(?:の?ある|者)|(?:人|方)(?:い(?:ます|る|ない)|おられ)|(?:みんな|皆さん|みなさん)(?:なら|は|だったら)|決めら(?:れな|んな)|どう(?:やって|すべき)|(?:べき|たらいい|ればいい)(?:か|の|ん)|(?:いい|良い)手|詳しい(?:人|方)|(?:いい|良い)(?:方法|案|アイデア|アイディア)|ご存[知じ]|お知恵|悩(?:んで|み)|迷って|おすすめ/,
)

export const QUESTION = /\?[\s!\p{P}\p{S}]{0,20}$/u

function words(points: number, ...languages: readonly RegExp[]): Words {
  return { points, test: text => languages.some(pattern => pattern.test(text)) }
}
