/** The start tag of the element that holds `marker`, as written. */
export function tagWith(html: string, marker: string): string | undefined {
  return html.match(/<[a-z][^<]*>/g)?.find((tag) => tag.includes(marker));
}

/** Structured data (JSON-LD) of the page of that type. */
export function jsonLd(html: string, type = 'BlogPosting'): Record<string, unknown> {
  const all = Array.from(
    html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ([, json = '']) => JSON.parse(json),
  );
  return all.find((data) => data['@type'] === type);
}

export const styleOf = (html: string): string => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
