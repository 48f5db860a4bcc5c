import { describe, expect, it } from 'vitest';
import { isWithin, parseHostname } from '../../../server/domains/hostname.ts';

const label63 = 'a'.repeat(63);
/** 63 + 63 + 63 + 61 and three dots. */
const longest = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.org`;

describe('a host name', () => {
  it.each([
    ['example.org', 'example.org'],
    ['WWW.Example.ORG', 'www.example.org'],
    ['example.org.', 'example.org'],
    ['  example.org ', 'example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ｅｘａｍｐｌｅ.org', 'example.org'],
    ['a.b', 'a.b'],
    ['1.example', '1.example'],
    ['a--b.example', 'a--b.example'],
    [`${label63}.org`, `${label63}.org`],
    [longest, longest],
    [`${longest}.`, longest],
  ])('a host name is accepted and normalised to its DNS form: %s', (text, hostname) => {
    expect(parseHostname(text)).toBe(hostname);
  });

  it('a host name has at most 253 characters, and 63 in a label', () => {
    expect(longest).toHaveLength(253);
    expect(() => parseHostname(`a${longest}`)).toThrow(/^hostname: /);
    expect(() => parseHostname(longest.replace('.org', 'a.org'))).toThrow(/^hostname: .*253/);
    expect(() => parseHostname(`${label63}a.org`)).toThrow(/^hostname: .*63/);
    // The DNS form counts: these 56 letters make a label of more than 63 characters.
    expect(() => parseHostname(`${'ü'.repeat(63)}.org`)).toThrow(/^hostname: /);
  });

  it.each([
    ['', /^hostname: /],
    ['.', /^hostname: /],
    ['..', /^hostname: /],
    ['localhost', /at least two labels/],
    ['com', /at least two labels/],
    ['a..b', /labels/],
    ['.example.org', /labels/],
    ['example.org..', /labels/],
    ['-a.example', /labels/],
    ['a-.example', /labels/],
    ['a_b.example', /labels/],
    ["a'b.example", /labels/],
    ['*.example.org', /wildcard/],
    ['*', /wildcard/],
    ['192.0.2.1', /IP address/],
    ['192.0.2.1.', /IP address/],
    ['127.1', /IP address/],
    ['0x7f.1', /IP address/],
    ['2130706433', /IP address/],
    ['::1', /IP address/],
    ['[2001:db8::1]', /IP address/],
    ['example.org:443', /alone/],
    ['https://example.org', /alone/],
    ['//example.org', /alone/],
    ['example.org/', /alone/],
    ['example.org/path', /alone/],
    ['example.org\\path', /alone/],
    ['example.org?a', /alone/],
    ['example.org#a', /alone/],
    ['user@example.org', /alone/],
    ['exa%6dple.org', /alone/],
    ['exam ple.org', /alone/],
    ['exam\tple.org', /alone/],
    ['exam\nple.org', /alone/],
    ['example.1', /labels/],
    ['xn--a.example', /labels/],
    ['\u200d.example', /labels/],
  ])('a host name is refused: %j', (text, message) => {
    expect(() => parseHostname(text)).toThrow(
      expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) }),
    );
  });

  it('a host name is within itself and its parents, and not within names with a similar ending', () => {
    const hosts = ['platen.example', 'blogs.example.net'];
    for (const name of ['platen.example', 'www.platen.example', 'a.b.blogs.example.net']) {
      expect(isWithin(name, hosts)).toBe(true);
    }
    for (const name of ['example', 'notplaten.example', 'example.net', 'platen.example.org']) {
      expect(isWithin(name, hosts)).toBe(false);
    }
  });
});
