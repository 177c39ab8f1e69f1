import type { Language } from '../language.ts'

const language: Language = {
  written: `
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november
  december morning afternoon evening night noon midnight tonight today tomorrow yesterday day week weekend month year hour minute second
  time date early late soon now ago always every daily weekly monthly often sometimes maybe probably actually really quite pretty
  one two three four five six seven eight nine ten hundred thousand half first last next new old
  good bad great nice fine best better worst worse big small long short fast slow whole full empty happy sorry sure wrong own same
  different even still again already yet almost enough never ever forever finally many lot bit less thing stuff way part side end kind sort number name idea
  people person guy man woman child kid son daughter wife husband friend everyone everybody somebody anybody nobody team member
  job work office room home house place kitchen desk door street city world life
  go goes going went gone get gets got come came make makes made take took taken give gave given put set see saw seen look watch hear
  heard read write wrote written say said tell told ask know knew known think thought want need like love hate feel felt find found use
  keep kept let try tried start started stop stopped begin began end finish buy bought sell sold move moved run ran walk drive eat ate
  drink drank drinks play speak spoke talk meet met call help wait hold turn show open close bring brought leave left happen become seem
  mean meant change add live learn build built break broke broken fix fixed do done up down out off over back away around here there
  able hard easy free ready busy tired sick cold hot warm light dark spend spent miss lose lost win won pay paid send sent sit stand
  hi hey hello oh ah wow lol haha hehe hmm huh yeah yes yep nope ok okay thanks thank please welcome cool interesting awesome amazing
  because allow per mostly only just such both each every another
  true right exactly indeed agreed omg www
  breakfast lunch dinner food plan question answer problem reason word mind luck wish hope fun joke news
`,
}

export default language
