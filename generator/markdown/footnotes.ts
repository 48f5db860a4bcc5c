/*
 * Repairs footnotes to which the parser gives the same id twice. Matches the parser's exact output, which no author can
 * imitate in an escaped source (parser-marks.ts). Runs before the sanitiser, which closes open elements.
 */

const SECTION = '<section class="footnotes" data-footnotes>\n<ol>\n';
const ITEM = /^(?=<li id="fn-)/m;
const LABEL = /^<li id="fn-([^"]*)">\n/;
const REFERENCE = /(<a href="#fn-([^"]*)" id=")(fnref-[^"]*)"/g;
const BACK_LINK = /(<a href="#)(fnref-[^"]*)(" class="footnote-backref")/g;
const NUMBER = /( class="footnote-backref" [^>]*aria-label="Back to reference )(\d+)/g;

/** Gives every footnote and every footnote reference a unique id. */
export function repairFootnotes(html: string): string {
  const start = html.lastIndexOf(SECTION);
  if (start === -1) return html;
  const items = joinDefinitions(html.slice(start + SECTION.length).split(ITEM));
  return makeReferencesUnique(html.slice(0, start), items);
}

/**
 * Joins the texts of a footnote that is defined several times, in order. The parser lists the definitions without a
 * reference first, and includes them in its numbering.
 */
function joinDefinitions(items: readonly string[]): readonly string[] {
  const count = items.findIndex((item) => item.includes('class="footnote-backref"'));
  if (count <= 0) return items;
  const earlier = new Map<string, string>();
  for (const item of items.slice(0, count)) {
    const label = labelOf(item);
    earlier.set(label, (earlier.get(label) ?? '') + textOf(item));
  }
  return items
    .slice(count)
    .map((item) =>
      item
        .replace(LABEL, (opening) => opening + (earlier.get(labelOf(item)) ?? ''))
        .replace(NUMBER, (_, before: string, number: string) => `${before}${Number(number) - count}`),
    );
}

/** Footnote labels ignore case. */
const labelOf = (item: string): string => (LABEL.exec(item)?.[1] ?? '').toLowerCase();

const textOf = (item: string): string => item.replace(LABEL, '').replace(/<\/li>\n$/, '');

/** The second reference to `x` has the same id as the first to `x-2`: one of them, and its back link, is renumbered. */
function makeReferencesUnique(body: string, items: readonly string[]): string {
  const html = body + SECTION + items.join('');
  const ids = Array.from(html.matchAll(REFERENCE), ([, , , id = '']) => id);
  const taken = new Set(ids);
  if (taken.size === ids.length) return html;
  const seen = new Set<string>();
  const renamed = new Map<string, string>();
  const rename = (part: string): string =>
    part.replace(REFERENCE, (reference, before: string, label: string, id: string) => {
      if (!seen.has(id)) {
        seen.add(id);
        return reference;
      }
      let number = 2;
      while (taken.has(`${id}-${number}`)) number += 1;
      taken.add(`${id}-${number}`);
      renamed.set(`${label} ${id}`, `${id}-${number}`);
      return `${before}${id}-${number}"`;
    });
  const named = rename(body);
  const namedItems = items.map(rename);
  return named + SECTION + namedItems.map((item) => updateBackLink(item, renamed)).join('');
}

function updateBackLink(item: string, renamed: ReadonlyMap<string, string>): string {
  const label = LABEL.exec(item)?.[1] ?? '';
  return item.replace(
    BACK_LINK,
    (_, before: string, id: string, after: string) => before + (renamed.get(`${label} ${id}`) ?? id) + after,
  );
}
