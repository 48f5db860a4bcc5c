import type { Browser } from 'playwright-core';

/** An element as far as tests inspect it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** Parses XML with a browser's strict parser. Rejects with its message for malformed XML. */
export async function parseXml(browser: Browser, xml: string): Promise<XmlElement> {
  const page = await browser.newPage();
  try {
    const parsed: { root: XmlElement | null; error: string } = await page.evaluate(
      `(${parseInPage})(${JSON.stringify(xml)})`,
    );
    if (parsed.root === null) throw new Error(`not well-formed: ${parsed.error}`);
    return parsed.root;
  } finally {
    await page.close();
  }
}

/** Descendants with a name. */
export function elements(root: XmlElement, name: string): XmlElement[] {
  return [...(root.name === name ? [root] : []), ...root.children.flatMap((child) => elements(child, name))];
}

/** The text of the first descendant with a name. */
export const textOf = (root: XmlElement, name: string): string | undefined => elements(root, name)[0]?.text;

const parseInPage = `(xml) => {
  const { documentElement } = new DOMParser().parseFromString(xml, 'application/xml');
  const failure = documentElement.querySelector('parsererror');
  if (failure) return { root: null, error: failure.textContent };
  const read = (element) => ({
    name: element.nodeName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    text: element.textContent,
    children: [...element.children].map(read),
  });
  return { root: read(documentElement), error: '' };
}`;
