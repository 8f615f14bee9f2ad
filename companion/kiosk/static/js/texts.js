/** The page's texts and the sentences of the rules, in the language of the catalogue. */

let catalogue = { language: "en", own: {}, sentences: {} };

export function useTexts(texts) {
  catalogue = texts;
}

const fill = (template, parts) => template.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? String(parts[name]) : whole));

/** The text of a key, its parts filled in. */
export function t(key, parts = {}) {
  return fill(catalogue.own[key] ?? key, parts);
}

export const hasText = (key) => key in catalogue.own;

/** A sentence {text, template, parts}: translated where the catalogue knows its template, else its English. */
export function say(sentence) {
  if (!sentence) return "";
  const template = catalogue.sentences[sentence.template];
  if (!template) return sentence.text;
  const parts = Object.fromEntries(
    Object.entries(sentence.parts).map(([name, part]) => [name, part && part.template ? say(part) : part]),
  );
  return fill(template, parts);
}
