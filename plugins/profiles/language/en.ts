import type { Language } from '../language.ts'

const language: Language = {
  stopWords: `a able about above actually after again ago agree ah all almost alright also although always am amazing an and another any anybody anyone
  anything anyway are aren't around as ask asked at away awesome back bad be because been before being believe best better between big
  both bring but by call came can can't cannot cause come coming cool could couldn't damn day days did didn't different do does
  doesn't doing don't done down each early easy either else end enough even ever every everybody everyone everything exactly
  far feel few find fine first for forget found from fun gave get getting give go goes going gone gonna good got great guess guys ha had haha
  half happen happened hard has hasn't have haven't having he he'd he'll he's hear heard hello help her here hers hey hi him his hm hmm hope hour
  hours how i i'd i'll i'm i've if in instead into is isn't it it'll it's its just keep kind knew know known last late later least left less let
  let's like likely little ll lol long look looked looking looks lot lots made make makes making many matter may maybe me mean means
  might mind mine minute minutes month months more morning most much must my myself need needed needs never new next nice night no nobody none nope not
  nothing now of off oh ok okay old on once one ones only onto oops or other others ought our out over own part people perhaps person
  please point pretty probably put quite rather re read ready real really reason remember right run said same saw say saying says second see
  seem seems seen she she'd she'll she's should shouldn't show since small so some somebody somehow someone something sometimes soon sorry
  sort still stuff such sure take taken takes talk talked talking tell than thank thanks that that's the their them then there there's these they they'd
  they'll they're they've thing things think third this those though thought through till time times to today together told tomorrow tonight too took
  totally tried true try trying turn two under understand until up us use used using usually ve very wait wanna want wanted wants was
  wasn't way we we'd we'll we're we've week weeks well went were weren't what what's whatever when where whether which while who who's whole whom whose why
  will wish with without won't wonder word work worked working works worse would wouldn't wow wrong yay yeah year years yep yes yesterday
  yea yet yo you you'd you'll you're you've your yours yourself yup afk brb btw cant cool didnt doesnt dont dunno hehe idk im ive kool lmao nah omg plz shit sth thx ty
  u ur wont wtf youre problem problems`,
  joining: `a an the and as at by for from in into of on to with is are be has have also both too their his her its they he she it this that who which`,
}

export default language
