import { expect, it } from 'vitest';
import { cdata, escapeXml } from '../../../generator/feeds/xml.ts';

/** That parsers read the text back is tested in a browser. */
const hostile = 'a\u0000\u0008\u001b\u000c\ufffe\uffffz\t\n日😀';

it('characters that would end a text or an attribute are escaped', () => {
  expect(escapeXml(`<a href="b">c</a> & &amp; ]]> 'd'`)).toBe(
    "&lt;a href=&quot;b&quot;&gt;c&lt;/a&gt; &amp; &amp;amp; ]]&gt; 'd'",
  );
});

it('the end of a CDATA section is split', () => {
  expect(cdata('<p>a ]]> b</p>')).toBe('<![CDATA[<p>a ]]]]><![CDATA[> b</p>]]>');
  expect(cdata(']]>]]>').replaceAll(']]]]><![CDATA[>', '')).toBe('<![CDATA[]]>');
});

it('characters that XML cannot hold are removed', () => {
  expect(escapeXml(hostile)).toBe('az\t\n日😀');
  expect(cdata(hostile)).toBe('<![CDATA[az\t\n日😀]]>');
});
