import TurndownService from 'turndown';
import { fenced } from '../../folder/dialects/embeds.ts';
import { cleanHtml, HtmlError, type Prepare, type Tell } from './clean-html.ts';
import { escapeMarkdown, escapePlain } from './escape.ts';
import { addTableRules } from './tables.ts';
import { addRule, type MarkdownNode } from './turndown-rule.ts';

/** Characters of HTML of a post. More is never less than the megabyte of Markdown that a post may have. */
const MAX_HTML = 16 * 1_048_576;

/** HTML of a post to Markdown. Throws an HtmlError if it is too long, or nested too deeply to be read. */
export function htmlToMarkdown(html: string, prepare: Prepare, tell: Tell): string {
  if (html.length > MAX_HTML)
    throw new HtmlError(
      `has ${Math.round(html.length / 1_048_576)} MB of HTML: a post has at most 1 MB of Markdown`,
    );
  const markdown = service.turndown(cleanHtml(html, prepare, tell));
  return markdown === '' ? '' : `${markdown.replace(/[ \t]+$/gm, trailingSpaces)}\n`;
}

/** Two spaces are a line break. */
const trailingSpaces = (spaces: string): string => (spaces === '  ' ? spaces : '');

/** Elements that Platen keeps and Markdown does not have. */
const INLINE = 'sub sup kbd mark abbr ins u q samp var small ruby rt rp dfn cite bdo bdi time'.split(' ');

const service = createService();

function createService(): TurndownService {
  const made = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '\\',
  });
  const usual = made.escape.bind(made);
  made.escape = (text) => escapeMarkdown(text, usual);
  addRule(made, ['pre'], (_, node) => codeBlock(node));
  addRule(made, ['del', 's', 'strike'], (content) => (content.trim() === '' ? '' : `~~${content.trim()}~~`));
  addRule(made, INLINE, inlineHtml);
  addRule(made, ['img'], (_, node) => image(node));
  addRule(made, ['a'], link);
  addRule(made, ['li'], listItem);
  addRule(made, ['details'], (content) => `\n\n<details>\n${content.trim()}\n\n</details>\n\n`);
  addRule(made, ['summary'], (content) => `<summary>${content.trim().replace(/\n+/g, ' ')}</summary>\n\n`);
  addRule(made, ['aside'], (content, node) => aside(content, node.getAttribute('type')));
  // Readers of exports mark footnotes with these elements, which no text of an export has.
  addRule(made, ['data'], (content, node) =>
    node.getAttribute('type') === 'footnote' ? `[^${content}]` : content,
  );
  addRule(made, ['section'], (content, node) => section(content, node.getAttribute('title')));
  addRule(made, ['dl'], (_, node) => htmlBlock(node));
  addTableRules(made, htmlBlock);
  return made;
}

/** HTML that stays. An empty line would end it. */
function htmlBlock(node: MarkdownNode): string {
  return `\n\n${node.outerHTML.replace(/\n\s*\n/g, '\n')}\n\n`;
}

function inlineHtml(content: string, node: MarkdownNode): string {
  const name = node.nodeName.toLowerCase();
  const attributes = ['title', 'datetime', 'cite', 'lang', 'dir']
    .map((attribute) => ({ attribute, value: node.getAttribute(attribute) }))
    .map(({ attribute, value }) => (value ? ` ${attribute}="${escapePlain(value)}"` : ''));
  return content === '' ? '' : `<${name}${attributes.join('')}>${content}</${name}>`;
}

/** A callout, if it has a kind. */
function aside(content: string, kind: string | null): string {
  const text = content.trim();
  return kind === null
    ? `\n\n${text}\n\n`
    : `\n\n${[`[!${kind}]`, ...text.split('\n')].map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
}

/** The text of a footnote, if it has a number. */
function section(content: string, number: string | null): string {
  const text = content.trim();
  return number === null || !/^\d+$/.test(number)
    ? `\n\n${text}\n\n`
    : `\n\n[^${number}]: ${text.replace(/\n(?=.)/g, '\n    ')}\n\n`;
}

function codeBlock(node: MarkdownNode): string {
  const inner = node.firstChild?.nodeName === 'CODE' ? node.firstChild : node;
  const language = /language-(\S+)/.exec(`${node.getAttribute('class')} ${inner.getAttribute('class')}`)?.[1];
  // A line break within code is an element in some editors.
  return `\n${fenced(language ?? '', codeText(node))}\n`;
}

function codeText(node: MarkdownNode): string {
  if (node.nodeName === 'BR') return '\n';
  if (node.nodeName === '#text') return node.textContent ?? '';
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) text += codeText(child);
  return text;
}

function image(node: MarkdownNode): string {
  const source = node.getAttribute('src') ?? '';
  if (source === '') return '';
  const alt = oneLine(node.getAttribute('alt') ?? '').replace(/[\\[\]]/g, '\\$&');
  const title = oneLine(node.getAttribute('title') ?? '').replace(/[\\"]/g, '\\$&');
  return `![${alt}](${destination(source)}${title === '' ? '' : ` "${title}"`})`;
}

function link(content: string, node: MarkdownNode): string {
  const href = oneLine(node.getAttribute('href') ?? '');
  const text = content.trim();
  if (text === '') return '';
  if (href === '' || /^(?!https?:|mailto:|tel:)[a-z][a-z\d+.-]*:/i.test(href)) return content;
  const [before, after] = [/^\s*/.exec(content)?.[0] ?? '', /\s*$/.exec(content)?.[0] ?? ''];
  if (/^https?:\/\/\S+$/.test(href) && node.textContent?.trim() === href) {
    const isAlone = node.parentNode?.nodeName === 'P' && node.parentNode.textContent?.trim() === href;
    return `${before}${isAlone ? href : `<${href}>`}${after}`;
  }
  return `${before}[${text.replace(/\n\s*\n/g, ' ')}](${destination(href)})${after}`;
}

function listItem(content: string, node: MarkdownNode): string {
  const parent = node.parentNode;
  const start = Number(parent?.getAttribute?.('start') ?? 1) || 1;
  let number = start;
  for (let before = node.previousSibling; before !== null; before = before.previousSibling)
    if (before.nodeName === 'LI') number += 1;
  const marker = parent?.nodeName === 'OL' ? `${number}. ` : '- ';
  const box = node.firstChild?.nodeName === 'INPUT' ? node.firstChild : null;
  const task =
    box?.getAttribute('type') === 'checkbox' ? (box.getAttribute('checked') === null ? '[ ] ' : '[x] ') : '';
  const indented = content
    .replace(/^\s+|\s+$/g, '')
    .replace(/\n/g, `\n${' '.repeat(marker.length)}`)
    .replace(/^[ \t]+$/gm, '');
  const isLast = node.nextSibling === null;
  return `${marker}${task}${indented}${isLast ? '' : '\n'}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const destination = (address: string): string =>
  /[\s()<>]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
