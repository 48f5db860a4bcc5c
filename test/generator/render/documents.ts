/** The element's start tag that holds `marker`, as written. */
export function tagWith(html: string, marker: string): string | undefined {
  return html.match(/<[a-z][^<]*>/g)?.find((tag) => tag.includes(marker));
}

/** What is said of the page in the vocabulary of that type. */
export function jsonLd(html: string, type = 'BlogPosting'): Record<string, unknown> {
  const all = Array.from(
    html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ([, json = '']) => JSON.parse(json),
  );
  return all.find((data) => data['@type'] === type);
}

export const styleOf = (html: string): string => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
