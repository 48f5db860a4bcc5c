import { FEED_STYLE } from '../addresses.ts';
import { PAPER } from '../colours.ts';
import { directionOf } from '../markdown/text/language.ts';
import { wordsFor } from '../words/words.ts';

/** The line of a feed that names its style sheet. Browsers read it, and feed readers ignore it. */
export const STYLE_LINE = `<?xml-stylesheet type="text/css" href="${FEED_STYLE}"?>\n`;

/**
 * How browsers show a feed to people: what it is, in the blog's language (BCP 47), its title, and each entry with its
 * address. CSS, because browsers are removing XSLT. It cannot make links, and markup for them would be foreign to the
 * feed. Its only text is the theme's: nothing that a user has written may stand in a style sheet.
 */
export function feedStyle(language: string): string {
  const words = wordsFor(language);
  return styleWith({
    direction: directionOf(language),
    notice: cssString(words.text('feedForReaders')),
    noticeDirection: directionOf(words.langOf('feedForReaders')),
  });
}

/** A string token of CSS. */
export const cssString = (text: string): string =>
  `"${text.replace(/["\\\p{Cc}]/gu, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)}"`;

interface StyleParts {
  readonly direction: 'ltr' | 'rtl';
  /** What a feed is, as a string of CSS. */
  readonly notice: string;
  readonly noticeDirection: 'ltr' | 'rtl';
}

const styleWith = ({ direction, notice, noticeDirection }: StyleParts): string => `:root {
  color-scheme: light dark;
  display: block;
  direction: ${direction};
  max-width: 38rem;
  margin: 0 auto;
  padding: 2rem 1.25rem;
  background: light-dark(${PAPER}, #181715);
  color: light-dark(#22201c, #e7e3db);
  font: 1.0625rem/1.55 Georgia, serif;
  overflow-wrap: anywhere;
}
feed::before,
channel::before {
  content: ${notice};
  display: block;
  direction: ${noticeDirection};
  margin-bottom: 2rem;
  padding: 0.75rem 1rem;
  border: 1px solid light-dark(#e4dfd5, #37342f);
  border-radius: 5px;
  font: 0.9rem/1.5 system-ui, sans-serif;
}
channel,
entry,
item {
  display: block;
}
:is(feed, entry, channel, item) > * {
  display: none;
}
:is(feed, channel) > :is(title, subtitle, description, entry, item),
:is(entry, item) > :is(title, summary, description, link) {
  display: block;
  /* Each in the direction of its own first letter. */
  unicode-bidi: plaintext;
}
:is(feed, channel) > title {
  font-size: 1.9rem;
  font-weight: bold;
  line-height: 1.2;
}
entry,
item {
  margin-top: 1.5rem;
  padding-top: 1.25rem;
  border-top: 1px solid light-dark(#e4dfd5, #37342f);
}
:is(entry, item) > title {
  font-size: 1.2rem;
  font-weight: bold;
}
:is(subtitle, summary, description, link) {
  color: light-dark(#69645b, #a39d92);
}
link {
  font: 0.85rem/1.5 system-ui, sans-serif;
  user-select: all;
}
link[href]::before {
  content: attr(href);
}
`;
