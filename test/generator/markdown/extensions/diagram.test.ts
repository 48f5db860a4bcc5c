// Slow: renders hundreds of random or hostile diagrams.
import { describe, expect, it } from 'vitest';
import { readDiagram } from '../../../../generator/markdown/extensions/diagram-source.ts';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const html = (source: string) => renderMarkdown(`\`\`\`mermaid\n${source}\n\`\`\``).html;
const labels = (page: string) =>
  Array.from(page.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, label]) => label);

const drawable: readonly (readonly [string, string, readonly string[]])[] = [
  ['a flowchart', 'graph TD\n  A[Start] --> B{Ok?}\n  B -->|yes| C', ['Start', 'Ok?', 'yes', 'C']],
  ['links without spaces', 'graph LR\nA-->B-->C', ['A', 'B', 'C']],
  [
    'links with words',
    'flowchart LR\nA-- one -->B\nB==two==>C\nC-. three .->D',
    ['one', 'two', 'three', 'A', 'B', 'C', 'D'],
  ],
  ['long links', 'graph TB;\nA---->B;\nB-..->C;\nC====D;', ['A', 'B', 'C', 'D']],
  [
    'shapes',
    'graph\nA(a) --> B([b]) --> C[[c]] --> D[(d)] --> E((e)) --> F{f} --> G{{g}}',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  ],
  ['groups', 'graph TD\nsubgraph one [The one]\nA-->B\nend\nA & B --> C', ['The one', 'A', 'B', 'C']],
  ['a state diagram', 'stateDiagram-v2\n[*] --> Still\nStill-->Moving : go', ['Still', 'Moving', 'go']],
  [
    'a sequence diagram',
    'sequenceDiagram\nparticipant A as Alice\nA->>+Bob: Hi there\nBob-->>-A: Oh\nNote over A,Bob: hm\nloop daily\nA-)Bob: x\nend',
    ['Alice', 'Bob', 'Hi there', 'Oh', 'hm'],
  ],
  [
    'a class diagram',
    'classDiagram\nAnimal <|-- Duck : is\nclass Animal {\n+int age\n+eat() void\n}',
    ['Animal', 'Duck', 'is'],
  ],
  [
    'an entity relationship diagram',
    'erDiagram\nUSER ||--o{ POST : writes\nUSER {\nstring name PK\n}',
    ['USER', 'POST', 'writes'],
  ],
];

describe('a diagram', () => {
  it.each(drawable)('a diagram shows all of its parts: %s', (_, source, expected) => {
    const page = html(source);
    expect(page).toMatch(/^<figure class="diagram" tabindex="0"><svg role="graphics-document document" /);
    expect(labels(page)).toEqual(expect.arrayContaining([...expected]));
  });

  it('a diagram shows node labels in every notation, and crow’s feet on both sides', () => {
    expect(labels(html('graph LR\nA --> B\nB[Label] --> C{Q}\nC --> A2'))).toEqual(
      expect.arrayContaining(['A', 'Label', 'Q', 'A2']),
    );
    expect(labels(html('erDiagram\nA }o--|| B : x'))).toEqual(expect.arrayContaining(['A', 'B', 'x']));
  });

  it('a diagram shows every link', () => {
    expect(html('graph LR\nA-->B\nB --> C & D\nC---D').match(/<polyline/g)).toHaveLength(4);
  });

  it('a diagram has a title for readers who cannot see it', () => {
    expect(html('graph TD\naccTitle: How it <flows>\nA-->B')).toContain(
      ' aria-roledescription="flowchart" aria-label="How it &lt;flows&gt;"',
    );
    expect(html('erDiagram\nA ||--o{ B : c')).toContain(' aria-label="Entity relationship diagram"');
  });

  it('a diagram shows the title in its front matter above it', () => {
    expect(html('---\ntitle: "How it <flows>"\n---\ngraph TD\nA-->B')).toMatch(
      /^<figure class="diagram" tabindex="0"><figcaption>How it &lt;flows&gt;<\/figcaption><svg .* aria-label="How it &lt;flows&gt;"/,
    );
  });

  it.each([
    ['another kind of diagram', 'pie\n"a": 1'],
    ['a node of a group that is first used outside it', 'graph TB\nc-->a\nsubgraph one\na-->b\nend'],
    ['a link to a group', 'graph TB\nsubgraph one\na-->b\nend\nc-->one'],
    ['links that would be drawn on top of each other', 'graph LR\nA-->B\nB-->A'],
    ['a direction for the whole diagram', 'graph TD\ndirection LR\nA-->B'],
    ['slanted shapes', 'graph LR\nA[/x/] --> B'],
    ['nested brackets', 'graph LR\nA["x [y]"] --> B'],
    ['an entity', 'graph LR\nA[x #quot; y] --> B'],
    ['an icon', 'graph LR\nA[fa:fa-car Car] --> B'],
    ['a note before any message', 'sequenceDiagram\nNote over A: x\nA->>B: y'],
    ['a participant declared too late', 'sequenceDiagram\nA->>B: x\nparticipant B as Bob'],
    ['a message that is too long', `sequenceDiagram\nA->>B: ${'long '.repeat(8)}`],
    ['a lost message', 'sequenceDiagram\nA-xB: lost'],
    ['a state described too late', 'stateDiagram-v2\nA --> B\nA : x'],
    ['a state with a class', 'stateDiagram-v2\nA:::x --> B'],
    ['a class with a label', 'classDiagram\nclass A["B"]\nA <|-- C'],
    ['a member with its type after a colon', 'classDiagram\nclass A {\n+x : int\n}'],
    ['two keys of one attribute', 'erDiagram\nA {\nint id PK, FK\n}\nA ||--|| B : x'],
    ['an empty diagram', ''],
    ['a header alone', 'graph TD'],
    ['an unsupported kind of link', 'graph TD\nA --x B'],
    ['a hidden link', 'graph TD\nA ~~~ B'],
    ['a node id in an unsupported script', 'graph TD\n开始 --> 结束'],
    ['a shape of the new syntax', 'graph TD\nA@{ shape: cyl }'],
    ['a note of a state', 'stateDiagram-v2\nA --> B\nnote right of A : x'],
    ['a choice', 'stateDiagram-v2\nstate c <<choice>>\nA --> c'],
    ['numbered messages', 'sequenceDiagram\nautonumber\nA->>B: x'],
    ['plain words', 'graph TD\nA --> B\nthis is not a statement!'],
    ['an entity of its own', 'erDiagram\nA\nB ||--o{ C : d'],
  ])('a diagram that cannot be drawn whole stays code: %s', (_, source) => {
    expect(html(source)).toMatch(/^<pre tabindex="0"><code class="language-mermaid">/);
  });

  it('a diagram ignores parts that nobody sees', () => {
    expect(readDiagram('%% a\ngraph TD\nA --> B\nclick A href "javascript:x"\naccDescr: y')?.text).toBe(
      'graph TD\nA --> B',
    );
  });

  it.each([
    ['an address for a colour', 'graph TD\nA-->B\nstyle A fill:url(https://e.com/x)'],
    ['markup for a colour', 'graph TD\nA-->B\nstyle A fill:"/><script>alert(1)</script>'],
    [
      'a style sheet for a colour',
      'graph TD\nA-->B:::c\nclassDef c fill:red;}</style><img src=x>\nclass A c',
    ],
  ])('a diagram uses only the colours of the theme: %s', (_, source) => {
    expect(html(source)).toMatch(/^<figure class="diagram"/);
    expect(html(source)).not.toMatch(/e\.com|<script|<img|red/);
  });

  it.each([
    'graph TD\nA["<img src=x onerror=alert(1)>"] --> B["&lt;script&gt;"]',
    'graph TD\nA["<a href=javascript:x>y</a>"] -->|<b onclick=x>| B',
    'sequenceDiagram\nA->>B: </text><script>x</script>',
    'classDiagram\nclass A {\n+</tspan><foreignObject>x\n}',
    'erDiagram\nA ||--o{ B : "</svg><style>"',
  ])('a diagram shows markup in labels as text or leaves it out: %s', (source) => {
    expect(html(source)).not.toMatch(/<(?:img|a |script|b |foreignObject|style)/i);
  });

  it('a diagram takes no style, font or address from elsewhere, and its colours from the theme', () => {
    for (const [, source] of drawable) {
      const page = html(source);
      expect(page).not.toMatch(/<style| style=|https?:|@import|xmlns|data-|--_/);
      expect(page).toContain('currentColor');
    }
  });

  it('a diagram has ids that nothing else on the page has', () => {
    const page = renderMarkdown(
      '# Arrowhead\n\n```mermaid\ngraph TD\nA-->B\n```\n\n```mermaid\ngraph TD\nA-->B\n```',
    ).html;
    const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/url\(#([^)]*)\)/g)) expect(ids).toContain(target);
  });

  it('a diagram is the same every time', () => {
    for (const [, source] of drawable) expect(html(source)).toBe(html(source));
  });

  it('a diagram of more than 5,000 characters, or after twenty others, stays code', () => {
    const chain = (length: number) => `graph TD\n${'A-->B\n'.repeat(length)}`;
    expect(html(chain(900))).not.toContain('<svg');
    const many = '```mermaid\ngraph TD\nA-->B\n```\n\n'.repeat(21);
    expect(renderMarkdown(many).html.match(/<svg/g)).toHaveLength(20);
  });
});
