import { describe, expect, it } from 'vitest';
import { parseForm } from '../../../server/http/multipart.ts';
import { cpuTime } from '../../support/cpu.ts';

const TYPE = 'multipart/form-data; boundary=x';

const part = (headers: string, content = 'abc') => `--x\r\n${headers}\r\n\r\n${content}\r\n`;
const parse = (text: string, type = TYPE) => parseForm(Buffer.from(text), type);
/** The only part of a form that has one. */
const only = (headers: string, content?: string) => parse(`${part(headers, content)}--x--\r\n`)[0];

describe('a form', () => {
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
  ])('is read as %s writes it', (_client, headers) => {
    const read = only(headers);
    expect(read).toEqual({ name: 'file', filename: 'a.png', type: 'image/png', bytes: Buffer.from('abc') });
  });

  it('may be empty, and say nothing of names and types', () => {
    expect(parse('--x--')).toEqual([]);
    expect(only('Content-Disposition: form-data; name="a"')).toMatchObject({ filename: undefined, type: '' });
    expect(only('Content-Disposition: form-data; name="a"', '')?.bytes).toHaveLength(0);
  });

  it('keeps every byte of a part, whatever it resembles', () => {
    const content = '\r\n--\r\n\r\n--y\r\n\0\r\n-x--\r\n\r\n';
    expect(only('Content-Disposition: form-data; name="a"', content)?.bytes.toString()).toBe(content);
  });

  it('has what stands before and behind it left out', () => {
    const form = `hello\r\n${part('Content-Disposition: form-data; name="a"')}--x--\r\nbye`;
    expect(parse(form).map(({ name }) => name)).toEqual(['a']);
  });

  it.each(['multipart/form-data; boundary="x"', 'multipart/form-data; charset=utf-8; BOUNDARY=x; a=b'])(
    'may name its boundary in other ways: %s',
    (type) => {
      expect(parse(`${part('Content-Disposition: form-data; name="a"')}--x--`, type)).toHaveLength(1);
    },
  );

  it('has names in every script', () => {
    const read = only('Content-Disposition: form-data; name="file"; filename="写真 é.png"');
    expect(read?.filename).toBe('写真 é.png');
  });
});

describe('a malformed form', () => {
  const a = part('Content-Disposition: form-data; name="a"');

  it.each([
    ['empty', '', /boundary does not occur/],
    ['of another boundary', a.replace('--x', '--y'), /boundary does not occur/],
    ['cut off in a part', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc', /truncated/],
    ['cut off behind a part', a, /truncated/],
    ['with a part of no headers', `--x\r\nabc\r\n${a}--x--`, /headers of a part are missing/],
    ['with headers of five kilobytes', `${part(`X: ${'y'.repeat(5000)}`)}--x--`, /too long/],
    ['with text after a boundary', `--xyz\r\n${a.slice(5)}--x--`, /text after a boundary/],
    ['with a part without a name', `${part('Content-Type: image/png')}--x--`, /no name/],
    ['with an attachment', `${part('Content-Disposition: attachment; name="a"')}--x--`, /no name/],
    ['with 21 parts', `${a.repeat(21)}--x--`, /more than 20 parts/],
    ['of bare line feeds', `${a}--x--`.replaceAll('\r\n', '\n'), /./],
  ])('is refused: %s', (_name, form, message) => {
    expect(() => parse(form)).toThrow(message);
  });

  it('is taken with 20 parts', () => {
    expect(parse(`${a.repeat(20)}--x--`)).toHaveLength(20);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('is refused: %s', (type) => {
    expect(() => parse(a, type)).toThrow(/names no boundary/);
  });

  it.each([
    ['parts', 'Content-Disposition: form-data; name="a"', 150_000],
    ['boundaries', '', 1_000_000],
  ])('costs no time with a great many %s', async (_name, headers, count) => {
    const form = part(headers, '').repeat(count);
    expect(await cpuTime(() => expect(() => parse(form)).toThrow(/malformed/))).toBeLessThan(250);
  });
});
