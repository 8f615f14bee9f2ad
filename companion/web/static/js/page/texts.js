/**
 * The page's texts and the sentences of the rules, in the catalogue's language, worded like
 * companion/language/wording.py.
 */

const GROUPED_FROM = 10000; // smaller numbers have no separators in any language
const TYPES = { and: "conjunction", or: "disjunction" };

let catalogue = { language: "en", locale: "en-GB", own: {}, sentences: {} };
let plurals = null;
const formats = new Map(); // by digits; making one costs a slow tablet more than all other drawing

export function useTexts(texts) {
  catalogue = texts;
  plurals = null;
  formats.clear();
}

/**
 * A number in the language's format, with `digits` decimal places (else up to three).
 *
 * @param {number} value @param {number | null} digits
 */
export function number(value, digits = null) {
  if (digits === null && Number.isInteger(value) && value >= 0 && value < GROUPED_FROM) return String(value);
  const grouped = Math.abs(value) >= GROUPED_FROM;
  const key = `${digits} ${grouped}`;
  if (!formats.has(key)) {
    const exactly = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    // the digits 0 to 9 in every language, as on the server
    formats.set(key, new Intl.NumberFormat(catalogue.locale,
      { numberingSystem: "latn", useGrouping: grouped, ...exactly }));
  }
  return formats.get(key).format(value);
}

/** Texts as a list: with "and", with "or", or only with commas. */
export function listed(texts, joint = "and") {
  const row = texts.map(String);
  const own = catalogue.joints?.[joint]; // of a language that browsers have no rules for
  if (own && row.length > 1) return `${row.slice(0, -1).join(", ")} ${own} ${row.at(-1)}`;
  return joint in TYPES ? new Intl.ListFormat(catalogue.locale, { type: TYPES[joint] }).format(row) : row.join(", ");
}

/** Date and time in the language's format. */
export const dateTime = (moment) =>
  new Intl.DateTimeFormat(catalogue.locale, { dateStyle: "medium", timeStyle: "short" }).format(moment);

/** The plural form of a text for the deciding number: the part `count`, or the part that `by` names. */
function chosen(form, parts) {
  if (typeof form === "string") return form;
  const deciding = parts[form.by ?? "count"];
  plurals ??= new Intl.PluralRules(catalogue.locale);
  return (typeof deciding === "number" && form[plurals.select(deciding)]) || form.other;
}

function part(value) {
  if (typeof value === "number") return number(value);
  if (value?.template === "{name}") return called(value.parts.name);
  if (value?.template !== undefined) return say(value);
  if (value?.list) return listed(value.list.map(part), value.joint);
  return String(value);
}

const fill = (form, parts) =>
  chosen(form, parts).replace(/\{\{|\}\}|\{(\w+)\}/g,
    (whole, name) => (name ? (name in parts ? part(parts[name]) : whole) : whole[0]));

/** The text of a key with its parts filled in; a part `count` decides between plural forms. */
export function t(key, parts = {}) {
  return fill(catalogue.own[key] ?? key, parts);
}

/** A name that comes with a seat, as this reader's language has it; any other name as it is. */
const called = (name) => catalogue.names?.[name] ?? name;

/**
 * A state in which those who are named after their seat are called as this reader's language has it.
 * @param {State} state
 */
export function readable(state) {
  if (!state.match) return state;
  const players = state.match.players.map((player) => ({ ...player, name: called(player.name) }));
  const name = state.match.name?.split(", ").map(called).join(", ");
  return { ...state, match: { ...state.match, players, name } };
}

export const hasText = (key) => key in catalogue.own;

/** A constant English text of the rules (a title, a name of a virtue) in the language of the catalogue. */
export const translated = (english) => say({ template: english });

/** What a reader calls a virtue of the state, if there is one. */
export const nameOf = (virtue) => (virtue ? translated(virtue.english) : null);

/** A template's short name in the catalogue, which replaces its English; the same as in companion/web/spoken.py. */
export function short(template) {
  let hash = 0x811c9dc5; // FNV-1a of 32 bits
  for (let at = 0; at < template.length; at += 1) hash = Math.imul(hash ^ template.charCodeAt(at), 0x01000193);
  return `${(hash >>> 0).toString(16)}.${template.length}`;
}

/** A sentence {text, template, parts}: translated if the catalogue has its template, else in English. */
export function say(sentence) {
  if (!sentence) return "";
  const template = sentence.template ?? sentence.text;
  return fill(catalogue.sentences[short(template)] ?? template, sentence.parts ?? {});
}
