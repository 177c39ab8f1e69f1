/** Slack identifies reactions by name: https://docs.slack.dev/reference/methods/reactions.add */

import { KikimimiError } from 'kikimimi'

/** Throws for an emoji without a known name. */
export function emojiName(emoji: string): string {
  const named = /^:([^\s:]+(?:::skin-tone-[2-6])?):$|^([a-z0-9_+'-]+)$/.exec(emoji)
  if (named) return named[1] ?? named[2] ?? emoji
  const [base = '', tone] = emoji.replaceAll('\uFE0F', '').split(/(?=[\u{1F3FB}-\u{1F3FF}])/u)
  const name = NAMES.get(base)
  if (name === undefined)
    throw new KikimimiError('PLATFORM_REFUSED', `Slack's name of ${emoji} is not known. Give it as a name, such as :wave:.`)
  return tone ? `${name}::skin-tone-${(tone.codePointAt(0) ?? 0) - 0x1f3fb + 2}` : name
}

/** The emoji of a Slack name, in the notation of people: `👍`, or `:party:` for a custom one. */
export function emojiNamed(name: string): string {
  const [, base = name, tone] = /^(.+?)(?:::skin-tone-([2-6]))?$/.exec(name) ?? []
  const emoji = EMOJI.get(ALIASES.get(base) ?? base)
  if (emoji === undefined) return `:${name}:`
  if (tone !== undefined) return emoji + String.fromCodePoint(0x1f3fb + Number(tone) - 2)
  // Without this selector it is a text character.
  return /^\p{Emoji_Presentation}/u.test(emoji) ? emoji : `${emoji}\uFE0F`
}

/** Aliases of Slack. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['thumbsup', '+1'],
  ['thumbsdown', '-1'],
  ['raised_hand', 'hand'],
  ['punch', 'facepunch'],
  ['satisfied', 'laughing'],
  ['collision', 'boom'],
  ['heavy_exclamation_mark', 'exclamation'],
])

/** Common reactions. A custom emoji of a workspace has its own name. */
const NAMES = new Map(
  `👍 +1 👎 -1 👏 clap 🙌 raised_hands 🙏 pray 🤝 handshake 👌 ok_hand ✌ v 🤞 crossed_fingers 👋 wave 💪 muscle ☝ point_up 👆 point_up_2
  👇 point_down 👉 point_right 👈 point_left ✋ hand 👊 facepunch ✊ fist 🫡 saluting_face 🫶 heart_hands 🙇 bow 🤷 shrug 🤦 face_palm
  😀 grinning 😃 smiley 😄 smile 😁 grin 😆 laughing 😅 sweat_smile 😂 joy 🤣 rolling_on_the_floor_laughing 🙂 slightly_smiling_face
  😉 wink 😊 blush 😇 innocent 🥰 smiling_face_with_3_hearts 😍 heart_eyes 🤩 star-struck 😘 kissing_heart 😋 yum 😜 stuck_out_tongue_winking_eye
  🤗 hugging_face 🤔 thinking_face 🤨 face_with_raised_eyebrow 😐 neutral_face 😶 no_mouth 🙄 face_with_rolling_eyes 😏 smirk 😌 relieved
  😴 sleeping 😎 sunglasses 🤓 nerd_face 🧐 face_with_monocle 😕 confused 🙁 slightly_frowning_face 😮 open_mouth 😲 astonished 😳 flushed
  🥺 pleading_face 😢 cry 😭 sob 😱 scream 😓 sweat 😤 triumph 😡 rage 🤯 exploding_head 🥳 partying_face 😬 grimacing 🫠 melting_face 🤖 robot_face
  👀 eyes 🧠 brain ❤ heart 🧡 orange_heart 💛 yellow_heart 💚 green_heart 💙 blue_heart 💜 purple_heart 🖤 black_heart 💔 broken_heart 💕 two_hearts
  💯 100 ✨ sparkles 🌟 star2 ⭐ star 🔥 fire 💥 boom 💡 bulb 🎉 tada 🎊 confetti_ball 🎁 gift 🏆 trophy 🥇 first_place_medal 🚀 rocket ⚡ zap
  🌈 rainbow ☀ sunny 🌙 crescent_moon 🌸 cherry_blossom 🌱 seedling 🍀 four_leaf_clover 🎂 birthday 🍰 cake ☕ coffee 🍵 tea 🍺 beer 🍻 beers
  🥂 clinking_glasses 🍕 pizza 🍣 sushi 🍙 rice_ball ✅ white_check_mark ☑ ballot_box_with_check ✔ heavy_check_mark ❌ x ❎ negative_squared_cross_mark
  ❓ question ❗ exclamation ‼ bangbang ⚠ warning 🚨 rotating_light 🚫 no_entry_sign ⛔ no_entry 💬 speech_balloon 💭 thought_balloon 🗣 speaking_head_in_silhouette
  👂 ear 📝 memo 📌 pushpin 📎 paperclip 🔗 link 📅 date ⏰ alarm_clock ⏳ hourglass_flowing_sand ⌛ hourglass 🔍 mag 🔎 mag_right 🐛 bug 🔧 wrench 🛠 hammer_and_wrench
  💻 computer 📱 iphone 📈 chart_with_upwards_trend 📉 chart_with_downwards_trend 💰 moneybag 🎵 musical_note 🎶 notes 🐱 cat 🐶 dog 🐰 rabbit 🦊 fox_face 🐼 panda_face
  🐧 penguin 🐢 turtle 🐙 octopus 🦄 unicorn_face 🙈 see_no_evil 🙉 hear_no_evil 🙊 speak_no_evil 💤 zzz 💦 sweat_drops 👑 crown 🎯 dart 🎮 video_game ➕ heavy_plus_sign 🔁 repeat 🔄 arrows_counterclockwise ✂ scissors 🗑 wastebasket`
    .trim()
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1] ?? ''])
      return pairs
    }, []),
)

const EMOJI: ReadonlyMap<string, string> = new Map(Array.from(NAMES, ([emoji, name]) => [name, emoji]))
