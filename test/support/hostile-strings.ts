import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One page of hostile strings: an attack and, if its collection gives them, the outputs of other sanitisers. */
export interface HostileEntry {
  readonly name: string;
  readonly strings: readonly string[];
}

/** Our own attack strings, a few for each known way past a sanitiser. */
const own: readonly string[] = [
  // Handlers and elements, plain and in disguises that parsers accept.
  '<img src=x onerror=hostile(1)>',
  '<img src="https://images.example/a.png" onload="hostile()"><video><source onerror=hostile()></video>',
  '<IMG/SRC=x/oNeRrOr=hostile()//',
  '<p onclick=hostile() style="position:fixed;inset:0;background:url(//evil.example/s)">click</p>',
  '<script>hostile()</script><scr<script>ipt>hostile()</scr</script>ipt>',
  '<details open ontoggle=hostile()><summary>s</summary></details>',
  '<style>@import "//evil.example/s.css";p{background:url(//evil.example/b)}</style>',
  '<base href="//evil.example/"><link rel=stylesheet href=//evil.example/l.css><meta http-equiv=refresh content="0;url=//evil.example/">',
  '<form action=//evil.example/><input name=q autofocus onfocus=hostile()><button formaction=javascript:hostile()>b</button></form>',
  '<iframe srcdoc="<script>parent.hostile()</script>"></iframe><iframe src=//www.youtube-nocookie.com.evil.example/embed/a></iframe>',
  '<object data=//evil.example/o></object><embed src=//evil.example/e><applet code=x></applet>',
  // Content that changes its meaning when it is parsed again.
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hostile()&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=hostile()>">',
  '<noscript><p title="</noscript><img src=x onerror=hostile()>">',
  '<template><script>hostile()</script></template><xmp><p title="</xmp><img src=x onerror=hostile()>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=hostile()>',
  // Foreign namespaces.
  '<svg onload=hostile()><script>hostile()</script><a xlink:href=javascript:hostile()><text>t</text></a></svg>',
  '<svg><foreignObject><iframe src=javascript:hostile()></iframe></foreignObject><animate onbegin=hostile() attributeName=x dur=1s></svg>',
  '<math href=javascript:hostile()><maction actiontype=statusline xlink:href=javascript:hostile()>m</maction></math>',
  '\\href{javascript:hostile()}{x} \\style{background:url(//evil.example/m)}{y} \\htmlData{onclick=hostile()}{z}',
  'x"]; click A "javascript:hostile()"; B["<img src=x onerror=hostile()>',
  // Addresses.
  'javascript:hostile()',
  ' java\tscript:hostile()',
  '\u0001javascript:hostile()//',
  'javascript&colon;hostile&lpar;&rpar;&#x0A;',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaG9zdGlsZSgpPC9zY3JpcHQ+',
  '[a](javascript:hostile()) ![b](vbscript:hostile) <javascript:hostile()> <a href="&#106;avascript:hostile()">c</a>',
  'https://youtu.be/a"onload="hostile() https://www.youtube.com/watch?v=../../evil"><script>hostile()</script>',
  // Unfinished markup.
  '<a href="https://e.example/" title="',
  '<!-- <img src=x onerror=hostile()>',
  '<textarea><plaintext><title>',
  '"\'`><img src=x onerror=hostile()>',
  // Names that shadow those of the page.
  '<img id=hostileConfig name=getElementById src=x><a id=hostileConfig name=body href="javascript:hostile()">a</a>',
  '<form id=hostileConfig><input name=attributes><input name=parentNode></form><a name=cookie>b</a>',
  // Strings that end the surrounding text, in HTML, JSON and XML.
  '</title></h1></article></body></html><script>hostile()</script>',
  '</script><script>hostile()</script><!-- <script>',
  ']]></title><script xmlns="http://www.w3.org/1999/xhtml">hostile()</script><![CDATA[',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "//evil.example/x">]>&e;&lt;b&gt;&amp;amp;&nbsp;&nosuch;',
  'line\u2028separator\u2029and "quotes\\" and \\u003c/script>',
  'nul\u0000 escape\u001b[31m bell\u0007 delete\u007f noncharacter\ufffe end',
  'half a pair \ud83d and \ude00 backwards',
  'one\r\n<b>two</b>\rthree\n\n',
  // Templates of every engine that takes part in a page.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the literal text is the test value
  '{{ 7*191 }} {% raw %}{%- if true -%}x{% endif %} <%= 7*191 %> ${7*191} #{7*191}',
  '{7*191} {@html "<img src=x onerror=hostile()>"} {#if true}x{/if} <svelte:head><script>hostile()</script></svelte:head>',
  "$& $1 $` $' <!--place:post--> %s %3Cscript%3E \\x3cscript\\x3e",
  '<script context="module">hostile()</script> {constructor.constructor("hostile()")()}',
];

export const ownEntries: readonly HostileEntry[] = own.map((string) => ({ name: string, strings: [string] }));

/** Distinct attacks of the corpus. */
export function corpusEntries(corpus: string): HostileEntry[] {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(corpus, 'xss', file), 'utf8'));
  const collected = [
    ...entriesOf(read('dompurify-expect-full.json')),
    ...entriesOf(read('dompurify-expect.json')),
    ...entriesOf(read('owasp-java-html-sanitizer.json')),
  ];
  const byAttack = new Map<string, Set<string>>();
  for (const [attack, ...others] of collected) {
    if (attack === undefined) continue;
    const known = byAttack.get(attack) ?? new Set([attack]);
    byAttack.set(attack, new Set([...known, ...others]));
  }
  return [...byAttack].map(([name, strings]) => ({ name, strings: [...strings] }));
}

/** A collection's entries are attacks, or objects with an attack and its allowed outcome or outcomes. */
function entriesOf(collection: unknown): string[][] {
  if (!Array.isArray(collection)) throw new Error('a collection of attacks is a list');
  return collection.map((entry: unknown) => {
    if (typeof entry === 'string') return [entry];
    if (typeof entry !== 'object' || entry === null || !('payload' in entry) || !('expected' in entry))
      throw new Error(`not an attack: ${JSON.stringify(entry)}`);
    return [entry.payload, entry.expected].flat().filter((text) => typeof text === 'string');
  });
}
