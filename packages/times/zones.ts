/** Names of time zones in every language. */

/**
 * By zone: short names, which need no word such as "time" behind them, and after the line the names of places. "_" is a space. A short name
 * means the place, also while its clocks are forward.
 */
const NAMES: Readonly<Record<string, string>> = {
  UTC: 'utc gmt zulu | 協定世界 世界標準 グリニッジ標準',
  'America/Los_Angeles':
    'pst pdt pt pacific | california san_francisco la sf seattle west_coast ロサンゼルス ロス シアトル サンフランシスコ 太平洋 西海岸 米国西部 アメリカ西海岸',
  'America/Denver': 'mst mdt mountain |',
  'America/Chicago': 'cst cdt ct central | texas 中部 シカゴ',
  'America/New_York': 'est edt et eastern | boston nyc east_coast ニューヨーク 東部 米国東部 アメリカ東部',
  'Pacific/Honolulu': '| ハワイ',
  'Europe/London': 'bst | uk british ロンドン イギリス 英国',
  'Europe/Lisbon': 'wet |',
  'Europe/Paris': 'cet cest | french パリ フランス 中央ヨーロッパ',
  'Europe/Berlin': '| german ベルリン ドイツ',
  'Europe/Rome': '| ローマ イタリア',
  'Europe/Athens': 'eet |',
  'Asia/Tokyo': 'jst | japan 日本 東京',
  'Asia/Seoul': 'kst | korea 韓国 ソウル',
  'Asia/Shanghai': '| china beijing 中国 北京 上海',
  'Asia/Taipei': '| 台湾 台北',
  'Asia/Hong_Kong': 'hkt | 香港',
  'Asia/Singapore': 'sgt | シンガポール',
  'Asia/Kolkata': '| india indian インド',
  'Asia/Bangkok': '| バンコク タイ',
  'Asia/Ho_Chi_Minh': '| ベトナム',
  'Asia/Dubai': '| ドバイ',
  'Australia/Sydney': 'aest aedt | シドニー',
  'Pacific/Auckland': 'nzst nzdt |',
}

type Zones = Readonly<Record<string, string>>

const named = (at: 0 | 1): Zones =>
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([zone, names]) =>
      (names.split('|')[at] ?? '').split(' ').flatMap(name => (name === '' ? [] : [[name.replaceAll('_', ' '), zone]])),
    ),
  )

/** By short name: `jst`. */
export const SHORT_ZONES = named(0)

/** By place. The cities of the zones have their English names. */
export const PLACES: Zones = {
  ...Object.fromEntries(
    Intl.supportedValuesOf('timeZone')
      .filter(zone => zone.includes('/'))
      .map(zone => [(zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(), zone]),
  ),
  ...named(1),
}
