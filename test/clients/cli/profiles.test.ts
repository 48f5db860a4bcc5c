import { chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProfileStore, type Profiles } from '../../../clients/cli/profiles/profile-store.ts';
import { isUnencrypted, serverUrl } from '../../../clients/cli/profiles/server-url.ts';
import { settingsFolder } from '../../../clients/cli/profiles/settings-folder.ts';
import { signInOf } from '../../../clients/cli/profiles/sign-in.ts';

const settings: Profiles = {
  current: 'default',
  profiles: {
    default: { url: 'https://a.example', key: 'pk_a', blog: 'notes' },
    work: { url: 'https://b.example/sub', key: 'pk_b', blog: null },
  },
};
const none: Profiles = { current: null, profiles: {} };
const flags = { profile: undefined, url: undefined, blog: undefined };

describe('a sign-in', () => {
  it.each([
    [{}, {}, settings, { url: 'https://a.example', key: 'pk_a', keyFrom: 'profile', blog: 'notes' }],
    [{}, {}, none, { url: 'http://localhost:8080', key: undefined, blog: undefined }],
    [{ profile: 'work' }, {}, settings, { url: 'https://b.example/sub', key: 'pk_b', blog: undefined }],
    [{ blog: 'other' }, {}, settings, { key: 'pk_a', blog: 'other' }],
    [{}, { PLATEN_API_KEY: 'pk_e' }, settings, { url: 'https://a.example', key: 'pk_e', blog: undefined }],
    [{}, { PLATEN_API_KEY: ' ' }, settings, { key: 'pk_a' }],
    [
      {},
      { PLATEN_API_KEY: 'pk_e', PLATEN_API_URL: 'https://c.example/v1/' },
      settings,
      { url: 'https://c.example', key: 'pk_e', profile: null },
    ],
    [
      { url: 'https://d.example' },
      { PLATEN_API_KEY: 'pk_e', PLATEN_API_URL: 'https://c.example' },
      none,
      { url: 'https://d.example' },
    ],
    // A profile that is named comes before the environment.
    [
      { profile: 'work' },
      { PLATEN_API_KEY: 'pk_e', PLATEN_API_URL: 'https://c.example' },
      settings,
      { url: 'https://b.example/sub', key: 'pk_b' },
    ],
    [{ url: 'https://a.example/v1' }, {}, settings, { key: 'pk_a', blog: 'notes' }],
  ])('by %o, %o', (given, environment, known, expected) => {
    expect(signInOf({ flags: { ...flags, ...given }, environment, settings: known })).toMatchObject(expected);
  });

  it('never sends the key of a profile to another server', () => {
    const other = (url: string) => () => signInOf({ flags: { ...flags, url }, environment: {}, settings });
    expect(other('https://evil.example')).toThrow(
      'is for https://a.example, so it is not sent to https://evil.example',
    );
    expect(other('http://a.example')).toThrow('not sent to http://a.example');
    expect(other('https://b.example/sub')).toThrow('use --profile work');
    const environment = { PLATEN_API_URL: 'https://evil.example' };
    expect(() => signInOf({ flags, environment, settings })).toThrow('not sent to https://evil.example');
  });

  it('names the profile that was probably meant', () => {
    const wrong = (profile: string) => () =>
      signInOf({ flags: { ...flags, profile }, environment: {}, settings });
    expect(wrong('wrk')).toThrow(
      'there is no profile "wrk": did you mean work?; platen profiles list lists them',
    );
    expect(wrong('toString')).toThrow('there is no profile "toString"');
  });
});

describe('the address of a server', () => {
  it.each([
    ['https://a.example/', 'https://a.example'],
    ['HTTPS://A.example:8443/sub/v1/', 'https://a.example:8443/sub'],
    [' http://localhost:8080/v1 ', 'http://localhost:8080'],
  ])('%s is %s', (given, expected) => {
    expect(serverUrl(given, '--url')).toBe(expected);
  });

  it('is unencrypted over http, unless it is this machine', () => {
    const urls = [
      'http://a.example',
      'http://10.0.0.1:80',
      'http://localhost:8080',
      'http://127.0.0.1',
      'https://a.example',
    ];
    expect(urls.map(isUnencrypted)).toEqual([true, true, false, false, false]);
  });
});

describe('the settings', () => {
  const store = async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'platen-settings-')), 'platen');
    return { folder, ...createProfileStore(folder, process.platform) };
  };

  it('are where the platform has them', () => {
    expect(settingsFolder({}, 'linux', '/home/ada')).toBe('/home/ada/.config/platen');
    expect(settingsFolder({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Application Support/platen');
    expect(settingsFolder({ APPDATA: '/a' }, 'win32', '/u')).toBe('/a/platen');
    expect(settingsFolder({ XDG_CONFIG_HOME: '/x' }, 'darwin', '/u')).toBe('/x/platen');
  });

  it('are kept for their owner alone', async () => {
    const { folder, file, load, save } = await store();
    expect(await load()).toEqual(none);
    await save(settings);
    expect([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await load()).toEqual(settings);
    await save(none);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are refused if others may read the keys or change the folder', async () => {
    const { folder, file, load, save } = await store();
    await save(settings);
    await chmod(file, 0o640);
    await expect(load()).rejects.toThrow(
      `other users of this machine may read the keys in ${file}: run chmod 600`,
    );
    await chmod(file, 0o600);
    await chmod(folder, 0o755);
    expect(await load()).toEqual(settings);
    await chmod(folder, 0o777);
    await expect(load()).rejects.toThrow('may change the settings');
  });

  it.each([
    '',
    '{"current":',
    '[]',
    '{"profiles": {"a": {"url": 1}}}',
    '{"profiles": {"pk_live_secret": "pk_live_x"}}',
  ])('that are damaged (%s) are said to be, without what is in them', async (text) => {
    const { folder, file, load } = await store();
    await mkdir(folder, { mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    const problem = await load().catch((error: Error) => error.message);
    expect(problem).toMatch(/are damaged \(.*\): mend the file, or remove it and run platen login$/);
    expect(problem).not.toContain('pk_live_x');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('that cannot be written leave a sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-settings-'));
    await writeFile(join(folder, 'file'), '');
    const { save, load } = createProfileStore(join(folder, 'file', 'platen'), process.platform);
    expect(await load()).toEqual(none);
    await expect(save(settings)).rejects.toThrow(/^the settings cannot be written to .* \(ENOTDIR|EEXIST\)/);
  });
});
