// Slow: renders formulas up to the limits of a post.
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const html = (source: string) => renderMarkdown(source).html;

describe('a formula', () => {
  it.each(['$a^2$', '$`a^2`$'])('a formula within a line is inline MathML: %s', (source) => {
    expect(html(`so ${source}.`)).toBe('<p>so <math><msup><mi>a</mi><mn>2</mn></msup></math>.</p>\n');
  });

  it.each(['$$a < b$$', '$$\na < b\n$$', '```math\na < b\n```'])(
    'a formula of its own is block MathML: %j',
    (source) => {
      expect(html(source)).toBe(
        '<p><math display="block" class="tml-display"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math></p>\n',
      );
    },
  );

  it.each(['It costs $5 and $6.', '`$a$`', '\\$a\\$', '$ a $'])(
    'dollar signs do not make a formula in %s',
    (source) => {
      expect(html(source)).not.toContain('<math');
    },
  );

  it('a formula that cannot be parsed stays source and says why', () => {
    const page = html('so $\\frac{1$ and $x$');
    expect(page).toContain(
      '<code class="math-error" title="Unexpected end of input in a macro argument, expected \'}\' at end of input: \\frac{1">\\frac{1</code>',
    );
    expect(page).toContain('<math><mi>x</mi></math>');
  });

  it('a formula is TeX in the search text, in heading ids and in the table of contents', () => {
    const { text, headings, html: page } = renderMarkdown('[TOC]\n\n## On $x^2$');
    expect(text).toBe('On x^2');
    expect(headings).toEqual([{ level: 2, id: 'on-x2', text: 'On x^2' }]);
    expect(page).toContain('<a href="#on-x2">On x^2</a>');
    expect(page).toMatch(/<h2 id="on-x2">On <math>/);
  });

  it.each([
    ['a link', '\\href{javascript:alert(1)}{x}'],
    ['an image', '\\includegraphics{https://e.com/x.png}'],
    ['an id', '\\id{main}{x}'],
    ['a class', '\\class{nav}{x}'],
    ['a style', '\\style{position:fixed}{x}'],
    ['data', '\\data{x=y}{x}'],
    ['an invalid colour', '\\color{url(https://e.com)}{x}'],
    ['a background from another host', '\\colorbox{url(//e.com/x)}{y}'],
    ['markup in text', '\\text{<img src=x onerror=alert(1)>}'],
    ['markup in an operator', '\\operatorname{<script>}'],
    ['a name', 'x \\label{main} \\tag{<b>}'],
  ])('a formula never becomes %s', (_, tex) => {
    const drawn = html(`$$${tex}$$`).replace(/<code class="math-error".*?<\/code>/s, '');
    expect(drawn).not.toMatch(/href|src="|<img|<script|<b>|position|url\(|\sid=|data-|class="nav/);
  });

  it('a formula may redefine a command', () => {
    expect(html('$\\newcommand{\\R}{\\mathbb{Q}} x\\in\\R$')).toContain('ℚ');
  });

  it.each([
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '\\begin{cases}1&x\\\\0&y\\end{cases}',
    '\\begin{aligned}a&=b\\\\c&=d\\end{aligned}',
    '\\left(\\frac ab\\right)',
    '\\cancel{x}',
    '\\ce{H2O}',
  ])('a formula is drawn: %s', (tex) => expect(html(`$$${tex}$$`)).toMatch(/^<p><math /));

  it('a formula is at most as large as a page', () => {
    expect(html('$\\rule{99em}{2em}$')).toContain('<math>');
    expect(html('$\\rule{500em}{500em}$')).toContain('class="math-error"');
  });

  it('the macros of a formula expand up to a limit', () => {
    const bomb = '\\def\\a{\\a\\a}\\a';
    expect(html(`$${bomb}$`)).toContain('class="math-error"');
  });

  it('a formula shares no macros with another one', () => {
    expect(html('$\\gdef\\a{1}\\a$ $\\a$')).toMatch(/<math>.*<code class="math-error"/);
    expect(html('$\\gdef\\b{1}$')).toBeDefined();
    expect(html('$\\b 2$')).not.toContain('<mn>1</mn>');
  });

  it('a formula stays source after ten thousand others, or 100,000 characters of them', () => {
    expect(html('$a$ '.repeat(10_001)).match(/<math>/g)).toHaveLength(10_000);
    expect(html(`$${'a'.repeat(60_000)}$ $b$ $${'c'.repeat(60_000)}$`).match(/<math>/g)).toHaveLength(2);
  });
});
