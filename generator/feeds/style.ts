import { FEED_STYLE } from '../addresses.ts';
import { PAPER } from '../colours.ts';

/** The line of a feed that names its style sheet. Browsers read it, and feed readers ignore it. */
export const STYLE_LINE = `<?xml-stylesheet type="text/css" href="${FEED_STYLE}"?>\n`;

/**
 * How browsers show a feed to people: what it is, its title, and each entry with its address. CSS, because browsers are
 * removing XSLT. It cannot make links, and markup for them would be foreign to the feed.
 */
export const feedStyle = `:root {
  color-scheme: light dark;
  display: block;
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
  content: "This is a web feed: to be told of new posts, paste the address of this page into a feed reader.";
  display: block;
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
