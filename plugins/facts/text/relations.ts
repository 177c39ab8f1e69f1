/** The relations that facts can have: one key for each, and whether it has one value at a time. */

/** Synonyms by key. A person lives in one place at a time. */
const SINGLE: Readonly<Record<string, string>> = {
  lives_in: 'lives_at resides_in residence home home_city home_town city location moved_to living_in based_in',
  works_at: 'works_for employer employed_by company workplace job_at joined',
  job: 'works_as occupation profession job_title role position',
  name: 'called is_called full_name named',
  nickname: 'goes_by prefers_to_be_called',
  birthday: 'born_on birth_date date_of_birth',
  age: 'years_old',
  from: 'hometown born_in grew_up_in native_of place_of_birth birthplace',
  partner: 'married_to spouse wife husband engaged_to girlfriend boyfriend',
  marital_status: 'relationship_status',
  studies_at: 'school university attends',
  studies: 'major field_of_study',
  manager: 'boss reports_to supervisor',
  phone: 'phone_number',
  email: 'email_address',
  timezone: 'time_zone',
  date: 'takes_place_on scheduled_for due_date deadline due release_date when day scheduled_at starts_at time start_time',
  location_of: 'venue place takes_place_at takes_place_in room',
  owner: 'responsible in_charge assignee maintainer led_by organizer',
  status: 'state phase',
  version: 'current_version',
  price: 'cost costs',
  favorite_food: 'favourite_food',
  favorite_color: 'favourite_color favorite_colour favourite_colour',
}

const MANY: Readonly<Record<string, string>> = {
  speaks: 'language languages speaks_language knows_language fluent_in',
  likes: 'loves enjoys prefers interested_in hobby hobbies fan_of likes_to',
  dislikes: 'hates cannot_stand',
  has_pet: 'pet pets owns_pet has_cat has_dog',
  has_child: 'child children son daughter',
  has_sibling: 'sibling brother sister',
  allergic_to: 'allergy allergies',
  avoids: 'does_not_eat cannot_eat diet',
  plays: 'plays_instrument instrument plays_sport sport',
  learns: 'learning is_learning studying',
  owns: 'has possesses bought',
  knows: 'skill skills can',
  visited: 'traveled_to travelled_to been_to went_to',
  uses: 'tool tools works_with',
  friend: 'friend_of friends',
}

const KEYS = new Map(
  [...Object.entries(SINGLE), ...Object.entries(MANY)].flatMap(([key, synonyms]) =>
    [key, ...synonyms.split(' ')].map(word => [word, key] as const),
  ),
)

/** The key of a relation: lower case, words joined by `_`, a synonym of the table as its key. Empty without a letter. */
export function relationKey(relation: string): string {
  const plain = relation
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
  return KEYS.get(plain) ?? plain
}

/** Whether a relation has one value at a time: as the table says, or else as the caller says. */
export function isSingle(key: string, told = false): boolean {
  return Object.hasOwn(SINGLE, key) || (!Object.hasOwn(MANY, key) && told)
}
