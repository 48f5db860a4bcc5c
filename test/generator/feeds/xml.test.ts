import { expect, it } from 'vitest';
import { cdata, escapeXml } from '../../../generator/feeds/xml.ts';

/** That parsers read it back is tested with a browser's. */
const hostile = 'a\u0000\u0008\u001b\u000c\ufffe\uffffz\t\n日😀';

it('escapes what would end a text or an attribute', () => {
  expect(escapeXml(`<a href="b">c</a> & &amp; ]]> 'd'`)).toBe(
    "&lt;a href=&quot;b&quot;&gt;c&lt;/a&gt; &amp; &amp;amp; ]]&gt; 'd'",
  );
});

it('keeps the end of a section out of a section', () => {
  expect(cdata('<p>a ]]> b</p>')).toBe('<![CDATA[<p>a ]]]]><![CDATA[> b</p>]]>');
  expect(cdata(']]>]]>').replaceAll(']]]]><![CDATA[>', '')).toBe('<![CDATA[]]>');
});

it('leaves out what XML cannot hold', () => {
  expect(escapeXml(hostile)).toBe('az\t\n日😀');
  expect(cdata(hostile)).toBe('<![CDATA[az\t\n日😀]]>');
});
