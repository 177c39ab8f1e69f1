import type { Language } from '../language.ts'

const language: Language = {
  blames:
    /\b(?:you(?:'re| are)? (?:always|never|keep|obviously|clearly|people|don't (?:get|listen|care|understand|even)|didn't (?:even|listen|bother)|can't even|broke|ruined|messed|deleted|wasted|ignored)|your (?:fault|mess|attitude|tone|mistake)|because (?:of you|you)|why (?:do|did|don't|didn't|can't|would|are|aren't|should) (?:you|i)|what(?:'s| is) (?:wrong with you|your problem)|blam(?:e|ed|ing)|who (?:asked you|do you think)|nobody asked|are you (?:serious|kidding|joking|blind|deaf|out of)|(?:on|with) you(?: again)?$|this on me|unlike (?:some|you)|some of us|do your (?:own )?(?:job|work)|for once|yet again|excuses?|make me|how many times|i (?:already )?told you|says who|(?:talk|speak) to me|accus\w+|threat\w*|don't you (?:dare|ever)|stop (?:telling|talking|blaming|acting|pretending|lying|wasting|making|putting))\b/i,
  contradicts:
    /^(?:no+(?! (?:problem|worries|idea|thanks|need|rush|big))|nope|wrong|so what|excuse me|seriously)\b|\b(?:that's|you're|it's|is|are|was) (?:just |simply |totally |completely |so |plain |flat out )?(?:not (?:true|right|fair|how|my)|wrong|false|unfair|absurd|nonsense|crap|garbage)|\b(?:disagree|i never|doesn't make (?:any )?sense|makes no sense|you (?:said|promised|agreed|told|were supposed|should have))\b/i,
  bristles:
    /\b(?:come on|i(?:'m| am) done|i quit|forget it|whatever|not my (?:problem|job|fault)|not me|deal with it|say that again|watch (?:your|it)|excuse you|if you say so|as usual|of course you|(?:and )?(?:whose|who (?:did|approved|broke|said|decided|changed|wrote|merged|told))|explain(?:ing)? (?:it |this )?again|(?:can't|cannot|won't|don't want to) (?:work|talk|deal) (?:with|to)|leave me|back off|calm down|relax|listen (?:to|up)|talk (?:to|about) me|(?:read|listen) (?:first|for)|your (?:problem|job|turn to)|oh please|great job|nice try|thanks for nothing|fine\.|i don't care|upset|angry|annoy\w+|offen[ds]\w+|fair enough to)\b/i,
  others: /(?<!\b(?:thank|see|lucky|for|with|to|can|could|would|will|how are|are|do|did|have) )\byou(?:r|rs|'re|'ve|'d|'ll)?\b/i,
  denies: /\b(?:not|never|nobody|no one|nothing|none|\w+n't|wrong|without|stop|no,? (?:you|i))\b/i,
  demands:
    /\b(?:ever|always|every(?:one|body)|anything|again|even|at least|especially|obviously|clearly|apparently|supposedly|of course|barely|because|enough|waste|mess|some people|dare|or (?:i|else)|unlike|manager|boss|first|twice|fault|sick|jealous|began|started)\b/i,
  laughs: /\b(?:lo+l|lmao|rofl|(?:ha){2,}h?|jk|just kidding)\b/iu,
  misunderstands:
    /\b(?:misunderst\w*|misread\w*|misheard|misinterpret\w*|mix(?:ed|ing)?(?: \w+){0,2} up|confus(?:ed|ion)|(?:i|we) (?:meant|didn't mean|(?:never|didn't) say|(?:was|were) (?:talking|referring))|(?:thought|assumed|figured) (?:you|we|he|she|they) (?:meant|said|wanted|were|was|are)|(?:took|mistook) (?:it|you|that|this) for|(?:not|isn't|wasn't) what (?:i|we|you)|(?:about|of|at) (?:a |an )?(?:different|two|another|the wrong|the other)|wrong (?:one|thread|person|impression|way|day|file|link|idea)|not that one|cross(?:ed)? (?:wires|purposes)|wait,? (?:what|no|which|so|i)|(?:what|who|which) do you mean|(?:so|you mean) not|the other (?:one|way))\b/i,
  wonders:
    /^(?:oh|ah|hm+|huh|wait|eh|no)\b[,.?! ]|\b(?:you mean|i mean|which one|another|there (?:is|are|was) no|isn't it|are you (?:on|in|looking|talking)|not the|, not|on (?:my|your) (?:side|end|page|screen)|instead|actually)\b/i,
  astray:
    /\b(?:(?:in|round in|around in) circles|off[- ]topic|back (?:to|on) (?:the |our )?(?:topic|track|point)|getting nowhere|nowhere with this|can we (?:please )?(?:decide|agree|move on|focus|settle)|a decision that|what (?:are we|is) (?:even )?(?:deciding|the (?:question|point|plan))|lost track|no consensus|agree to disagree)\b/i,
  asks: /\b(?:(?:any|some)(?:one|body) (?:\w+ )?(?:knows?|help|here|have|has|got|able|seen|tried|done|used|switched|been|ideas?)|any (?:ideas?|advice|suggestions?|tips?|thoughts|help|recommendations?)|help me|can (?:any|some)(?:one|body)|need (?:some )?(?:help|advice)|what (?:should|can|do) (?:i|we)|what would you do|how (?:do|can|should|would) (?:i|we|you)|i(?:'m| am) (?:a (?:bit|little) |so |completely |totally )?(?:stuck|lost|at a loss)|at my wits' end|end of (?:my|the|our) rope|(?:can't|cannot) decide|no idea (?:how|what|why)|don't know (?:how|what|who|where) to)\b/i,
}

export default language
