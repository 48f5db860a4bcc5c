import { describe, expect, it } from 'vitest';
import { parseForm } from '../../../server/input/multipart.ts';
import { cpuTime } from '../../support/cpu.ts';

const TYPE = 'multipart/form-data; boundary=x';

const part = (headers: string, content = 'abc') => `--x\r\n${headers}\r\n\r\n${content}\r\n`;
const parse = (text: string, type = TYPE) => parseForm(Buffer.from(text), type);
/** The only part of a one-part form. */
const only = (headers: string, content?: string) => parse(`${part(headers, content)}--x--\r\n`)[0];

describe('a multipart form', () => {
  it.each([
    ['curl', 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png'],
    ['.NET', 'Content-Type: image/png\r\nContent-Disposition: form-data; name=file; filename=a.png'],
    [
      'older Python',
      'Content-Disposition: form-data; name="file"; filename="a.png"; filename*=utf-8\'\'a.png\r\nContent-Type: IMAGE/PNG',
    ],
    [
      'Java',
      'content-disposition:form-data;name="file";filename="a.png"\r\nContent-Type: image/png; charset=binary\r\nContent-Transfer-Encoding: binary\r\nContent-Length: 3',
    ],
  ])('a form is read as written by %s', (_client, headers) => {
    const read = only(headers);
    expect(read).toEqual({ name: 'file', filename: 'a.png', type: 'image/png', bytes: Buffer.from('abc') });
  });

  it('a form may be empty, and its parts may lack names and types', () => {
    expect(parse('--x--')).toEqual([]);
    expect(only('Content-Disposition: form-data; name="a"')).toMatchObject({ filename: undefined, type: '' });
    expect(only('Content-Disposition: form-data; name="a"', '')?.bytes).toHaveLength(0);
  });

  it('the bytes of a part are kept, whatever they resemble', () => {
    const content = '\r\n--\r\n\r\n--y\r\n\0\r\n-x--\r\n\r\n';
    expect(only('Content-Disposition: form-data; name="a"', content)?.bytes.toString()).toBe(content);
  });

  it('text before and after the form is ignored', () => {
    const form = `hello\r\n${part('Content-Disposition: form-data; name="a"')}--x--\r\nbye`;
    expect(parse(form).map(({ name }) => name)).toEqual(['a']);
  });

  it.each(['multipart/form-data; boundary="x"', 'multipart/form-data; charset=utf-8; BOUNDARY=x; a=b'])(
    'a form may declare its boundary in other ways: %s',
    (type) => {
      expect(parse(`${part('Content-Disposition: form-data; name="a"')}--x--`, type)).toHaveLength(1);
    },
  );

  it('a form may have names in every script', () => {
    const read = only('Content-Disposition: form-data; name="file"; filename="写真 é.png"');
    expect(read?.filename).toBe('写真 é.png');
  });
});

describe('a malformed multipart form', () => {
  const a = part('Content-Disposition: form-data; name="a"');

  it.each([
    ['empty', '', /boundary does not occur/],
    ['with another boundary', a.replace('--x', '--y'), /boundary does not occur/],
    ['cut off in a part', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc', /truncated/],
    ['cut off after a part', a, /truncated/],
    ['with a part without headers', `--x\r\nabc\r\n${a}--x--`, /headers of a part are missing/],
    ['with headers of five kilobytes', `${part(`X: ${'y'.repeat(5000)}`)}--x--`, /too long/],
    ['with text after a boundary', `--xyz\r\n${a.slice(5)}--x--`, /text after a boundary/],
    ['with a part without a name', `${part('Content-Type: image/png')}--x--`, /no name/],
    ['with an attachment', `${part('Content-Disposition: attachment; name="a"')}--x--`, /no name/],
    ['with 21 parts', `${a.repeat(21)}--x--`, /more than 20 parts/],
    ['with bare line feeds', `${a}--x--`.replaceAll('\r\n', '\n'), /./],
  ])('a malformed form is refused: %s', (_name, form, message) => {
    expect(() => parse(form)).toThrow(message);
  });

  it('a form may have 20 parts', () => {
    expect(parse(`${a.repeat(20)}--x--`)).toHaveLength(20);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('a form with too much is refused: %s', (type) => {
    expect(() => parse(a, type)).toThrow(/names no boundary/);
  });

  it.each([
    ['parts', 'Content-Disposition: form-data; name="a"', 150_000],
    ['boundaries', '', 1_000_000],
  ])('a form with a great many %s takes little time', async (_name, headers, count) => {
    const form = part(headers, '').repeat(count);
    expect(await cpuTime(() => expect(() => parse(form)).toThrow(/malformed/))).toBeLessThan(250);
  });
});
