// Slow: starts a whole server, and waits for rebuilds of all pages of a blog.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TierName } from '../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

const MAX_THEME = 65_536;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());
beforeEach(async () => {
  author = await newAuthor(platen, 'creator');
});

const update = (fields: unknown, of = author) => of.call('PUT', `/blogs/${of.blogId}`, fields);

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await writtenRows(platen.services.db);
  await work();
  expect(await writtenRows(platen.services.db)).toEqual(before);
}

const defaults = {
  accent_color: null,
  language: 'en',
  author: null,
  social_links: [],
  navigation: [],
  front_page: null,
  icon: null,
};

describe('updating a blog', () => {
  it('an update returns the whole blog, and its pages follow', async () => {
    const fields = { name: 'The Gazette', description: 'All the news.' };
    const { status, headers, json } = await author.call('PUT', `/blogs/${author.blogId}`, fields, {
      Prefer: 'wait=60',
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: author.blogId,
      slug: author.blogSlug,
      name: 'The Gazette',
      description: 'All the news.',
      custom_domain: null,
      url: `http://${author.blogSlug}.${new URL(platen.origin).host}/`,
      theme_config: {},
      settings: defaults,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      rebuild_id: expect.any(String),
    });
    expect(json.updated_at > json.created_at).toBe(true);
    expect(headers.get('preference-applied')).toBe('wait=60');
    const front = await platen.read(author.blogSlug, '/');
    expect(front.text).toContain('The Gazette');
    expect(front.text).toContain('All the news.');
  });

  it('a new blog name reaches every page that shows it', async () => {
    await author.post({ slug: 'a-post' });
    await author.call('PUT', `/blogs/${author.blogId}`, { name: 'Renamed' }, { Prefer: 'wait=60' });
    for (const path of ['/', '/a-post/', '/feed.xml']) {
      const page = await platen.read(author.blogSlug, path);
      expect([page.status, page.text.includes('Renamed')], path).toEqual([200, true]);
    }
  });

  it('an update merges settings by name, and null restores a default', async () => {
    const links = [{ label: 'Mastodon', url: 'https://social.example/@ada' }];
    const settings = {
      accent_color: '#0A7EA4',
      language: 'pt-BR',
      author: { name: 'Ada', url: 'https://ada.example/', image: null },
      social_links: links,
      navigation: [{ label: 'About', url: '/about/' }, ...links],
      front_page: null,
      icon: null,
    };
    const { json } = await update({ settings });
    expect(json.settings).toEqual({ ...settings, accent_color: '#0a7ea4' });
    expect(json.rebuild_id).toEqual(expect.any(String));
    const changed = await update({ settings: { author: { name: 'A' }, language: null, social_links: [] } });
    expect(changed.json.settings).toEqual({
      ...settings,
      accent_color: '#0a7ea4',
      author: { name: 'A', url: null, image: null },
      language: 'en',
      social_links: [],
      front_page: null,
    });
    const document = (await platen.call('GET', '/openapi.json', undefined, { key: null })).json;
    expect(JSON.stringify(document)).toContain('"pattern":"^#[0-9A-Fa-f]{6}$"');
    const back = { accent_color: null, author: null, navigation: null };
    expect((await update({ settings: back })).json.settings).toEqual(defaults);
  });

  it.each([
    [
      'social_links',
      (n: number) => Array.from({ length: n }, () => ({ label: 'a', url: 'https://a.example/' })),
      10,
    ],
    ['navigation', (n: number) => Array.from({ length: n }, () => ({ label: 'a', url: '/a/' })), 10],
    ['navigation', (n: number) => [{ label: 'l'.repeat(n), url: '/a/' }], 50],
    ['author', (n: number) => ({ name: 'n'.repeat(n), url: null, image: null }), 100],
  ])('settings.%s has a maximum length', async (name, value, most) => {
    await expectUnchanged(async () =>
      expectRefusal(
        await update({ settings: { [name]: value(most + 1) } }),
        400,
        new RegExp(`^settings\\.${name}.*${most}`),
      ),
    );
    expect((await update({ settings: { [name]: value(most) } })).json.settings[name]).toEqual(value(most));
  });

  it('an update leaves omitted fields unchanged', async () => {
    await update({ name: 'One', description: 'Two', theme_config: { customCss: 'three' } });
    const { json } = await update({ description: 'Four' });
    expect(json).toMatchObject({ name: 'One', description: 'Four', theme_config: { customCss: 'three' } });
    expect((await update({ description: '' })).json).toMatchObject({ name: 'One', description: '' });
  });

  it('an update without a difference writes nothing', async () => {
    const same = { name: 'Same', description: 'As before', theme_config: { adCode: '<i>ad</i>' } };
    const { json } = await update(same);
    await expectUnchanged(async () => {
      for (const fields of [same, {}, { theme_config: {} }, { theme_config: { headerHtml: null } }]) {
        const again = await update(fields);
        expect(again.status).toBe(200);
        expect(again.json).toEqual({ ...json, rebuild_id: undefined });
      }
    });
  });

  it.each([
    ['200 characters in the name', 'name', 'ñ'.repeat(200), 'ñ'.repeat(201), /^name: .*200/],
    ['200 emoji in the name', 'name', '🗞'.repeat(200), '🗞'.repeat(201), /^name: .*200/],
    [
      '1000 characters in the description',
      'description',
      'd'.repeat(1000),
      'd'.repeat(1001),
      /^description: .*1000/,
    ],
  ])('an update accepts %s and no more', async (_name, field, most, tooMuch, message) => {
    await expectUnchanged(async () => expectRefusal(await update({ [field]: tooMuch }), 400, message));
    expect((await update({ [field]: most })).json[field]).toBe(most);
  });

  it.each([
    [{ name: '' }, /^name: must not be empty/],
    [{ name: '  ' }, /^name: must not be empty/],
    [{ name: null }, /^name: /],
    [{ name: 'a\u0007b' }, /^name: .*control/],
    [{ description: null }, /^description: /],
    [{ description: ['a'] }, /^description: /],
    [{ description: 'a\0b' }, /^description: .*NUL/],
    [{ theme_config: null }, /^theme_config: /],
    [{ theme_config: 'body {}' }, /^theme_config: /],
    [{ theme_config: ['body {}'] }, /^theme_config: /],
    [{ theme_config: { customCss: 7 } }, /^theme_config\.customCss: /],
    [{ theme_config: { footerHtml: { a: 'b' } } }, /^theme_config\.footerHtml: /],
    [{ theme_config: { adCode: 'a\ud800' } }, /^theme_config\.adCode: .*surrogate/],
    [{ theme_config: { customCss: 'a{}</STYLE >' } }, /^theme_config\.customCss: .*<\/style/],
    [{ settings: null }, /^settings: /],
    [{ settings: { accent_color: 'red' } }, /^settings\.accent_color: .*#0a7ea4/],
    [{ settings: { accent_color: '#12345' } }, /^settings\.accent_color: /],
    [{ settings: { language: 'not a language' } }, /^settings\.language: .*BCP 47/],
    [{ settings: { author: {} } }, /^settings\.author\.name: /],
    [{ settings: { author: { name: '' } } }, /^settings\.author\.name: must not be empty/],
    [
      { settings: { author: { name: 'A', url: 'javascript:x', image: null } } },
      /^settings\.author\.url: .*http/,
    ],
    [
      { settings: { social_links: [{ label: 'a', url: '/a' }] } },
      /^settings\.social_links\[0\]\.url: .*http/,
    ],
    [
      { settings: { navigation: [{ label: 'a', url: '//e.com' }] } },
      /^settings\.navigation\[0\]\.url: .*\/about\//,
    ],
    [
      { settings: { navigation: [{ label: 'a', url: 'ftp://e.com' }] } },
      /^settings\.navigation\[0\]\.url: .*\/about\//,
    ],
    [[], /^the body: /],
  ])('an update is refused with %j', async (fields, message) => {
    await expectUnchanged(async () => expectRefusal(await update(fields), 400, message));
  });

  it('an update needs a blog that the key opens', async () => {
    const stranger = await newAuthor(platen);
    const second = await author.call('POST', '/blogs', { slug: `${author.blogSlug}-2`, name: 'Second' });
    const { secret } = await platen.services.credentials.issue({
      accountId: author.accountId,
      blogId: second.json.id,
      name: 'Bound',
      scopes: ['blogs:write'],
      expiresAt: null,
    });
    const bound = (id: string) => platen.call('PUT', `/blogs/${id}`, { name: 'Mine' }, { key: secret });
    await expectUnchanged(async () => {
      for (const id of [stranger.blogId, 'nonsense', '00000000-0000-7000-8000-000000000000']) {
        const hint = id === 'nonsense' ? ': use its id, not its slug: GET /v1/blogs lists them' : '';
        const message = new RegExp(`^blog not found${hint}$`);
        expectRefusal(await author.call('PUT', `/blogs/${id}`, { name: 'Mine' }), 404, message);
      }
      expectRefusal(await bound(author.blogId), 404, /^blog not found$/);
    });
    expect((await bound(second.json.id)).json.name).toBe('Mine');
  });

  it('an update needs the scope to write blogs', async () => {
    const reader = await platen.account({ tier: 'creator', scopes: ['blogs:read', 'posts:write'] });
    const answer = await platen.call('PUT', `/blogs/${author.blogId}`, { name: 'x' }, { key: reader.key });
    expectRefusal(answer, 403, /blogs:write/);
  });
});

describe('the theme of a blog', () => {
  const all = { customCss: 'a {}', adCode: '<b></b>', headerHtml: '<header>', footerHtml: '</footer>' };

  it('a theme is merged key by key, and null or an empty string removes a key', async () => {
    expect((await update({ theme_config: all })).json.theme_config).toEqual(all);
    const changes = { customCss: 'b {}', adCode: null, headerHtml: '' };
    const { json } = await update({ theme_config: changes });
    expect(json.theme_config).toEqual({ customCss: 'b {}', footerHtml: '</footer>' });
    expect(json.rebuild_id).toEqual(expect.any(String));
    expect((await update({})).json.theme_config).toEqual(json.theme_config);
  });

  it('a blog that a client got can be sent back, and one warning lists what a change leaves alone', async () => {
    const path = `/blogs/${author.blogId}`;
    const got = (await author.call('GET', path)).json;
    const { status, json } = await author.call('PUT', path, got);
    const { warnings, ...blog } = json;
    expect([status, blog]).toEqual([200, got]);
    expect(warnings).toEqual([
      'fields that are not changed by PUT: `id`, `custom_domain` (use POST /v1/blogs/{id}/domain), `created_at`, `updated_at`, `url`',
    ]);
  });

  it('unknown keys of a theme are named and change nothing', async () => {
    const raw = '{"theme_config":{"customCss":"a","logo":"b","__proto__":{"adCode":"c"},"toString":"d"}}';
    const { json } = await platen.call('PUT', `/blogs/${author.blogId}`, undefined, { key: author.key, raw });
    expect(json.theme_config).toEqual({ customCss: 'a' });
    expect(json.warnings).toEqual(
      ['logo', '__proto__', 'toString'].map((name) =>
        expect.stringContaining(`\`${name}\` is not a field of theme_config, which has \`customCss\``),
      ),
    );
  });

  it.each(['customCss', 'adCode', 'headerHtml', 'footerHtml'])(
    'a theme has room for 65,536 bytes in %s',
    async (key) => {
      // Two bytes each.
      const most = 'é'.repeat(MAX_THEME / 2);
      expect((await update({ theme_config: { [key]: most } })).json.theme_config).toEqual({ [key]: most });
      await expectUnchanged(async () =>
        expectRefusal(
          await update({ theme_config: { [key]: `${most}.` } }),
          400,
          new RegExp(`^theme_config\\.${key}: .*65536 bytes`),
        ),
      );
    },
  );

  it.each<[TierName, string[], string[]]>([
    ['free', [], ['customCss', 'adCode', 'headerHtml', 'footerHtml']],
    ['starter', ['customCss', 'adCode'], ['headerHtml', 'footerHtml']],
    ['creator', ['customCss', 'adCode', 'headerHtml', 'footerHtml'], []],
  ])('a theme on the %s plan may have %j and not %j', async (tier, allowed, refused) => {
    const owner = await newAuthor(platen, tier);
    for (const key of allowed) {
      expect((await update({ theme_config: { [key]: 'x' } }, owner)).json.theme_config[key]).toBe('x');
    }
    await expectUnchanged(async () => {
      for (const key of refused) {
        const fields = { name: 'Not written either', theme_config: { [key]: 'x' } };
        const answer = await update(fields, owner);
        expectRefusal(answer, 403, new RegExp(`${tier} plan .*${key}`), ['upgrade_url']);
        expect(answer.json.upgrade_url).toBe(`${platen.origin}/dashboard/billing`);
      }
    });
  });

  it('a theme may still be emptied of fields that the plan no longer includes', async () => {
    await update({ theme_config: all });
    const { db } = platen.services;
    await db.updateTable('accounts').set({ tier: 'free' }).where('id', '=', author.accountId).execute();
    expect((await update({ name: 'Kept' })).json.theme_config).toEqual(all);
    const { json } = await update({ theme_config: { headerHtml: null, customCss: '' } });
    expect(json.theme_config).toEqual({ adCode: all.adCode, footerHtml: all.footerHtml });
    expectRefusal(await update({ theme_config: { adCode: 'new' } }), 403, /adCode/, ['upgrade_url']);
  });
});
