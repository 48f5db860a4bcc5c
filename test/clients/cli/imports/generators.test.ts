import { describe, expect, it } from 'vitest';
import { zipOf } from '../../../support/zip.ts';
import { png } from '../folder/folder-of.ts';
import { importOf } from './import-of.ts';

const jekyll = {
  '_config.yml':
    'title: Notes\ndescription: On type\nurl: https://old.example\nlang: de\npermalink: /:categories/:year/:title/\n',
  '_posts/2020-02-03-ink.md':
    '---\nlayout: post\ntags: one two\ncategories: craft\n---\nSee [paper]({% post_url 2020-02-04-paper %}) {% highlight js %}a{% endhighlight %} ![A]({{ site.baseurl }}/assets/a.png)',
  '_posts/2020-02-04-paper.md': '---\npermalink: /papers/a4.html\n---\nText',
  '_drafts/later.md': 'Text',
  'about.md': '---\ntitle: About\nredirect_from: /me/\n---\nText',
  'assets/a.png': png(),
};

describe('the folder of a site of Jekyll', () => {
  it('becomes one of Platen, with the addresses that its posts had', async () => {
    const found = await importOf(jekyll);
    expect(found.complaints).toEqual([]);
    expect(found.files).toEqual([
      'drafts/later.md',
      expect.stringMatching(/^images\/a-[\da-f]{8}\.png$/),
      ...['import-report.txt', 'pages/about.md', 'platen.yaml'],
      ...['posts/2020-02-03-ink.md', 'posts/2020-02-04-a4.md'],
    ]);
    expect(found.posts.ink).toMatchObject({
      ...{ tags: ['one', 'two', 'craft'], oldAddresses: ['/craft/2020/ink/'] },
      content: expect.stringContaining('```js\na\n```'),
    });
    expect(found.posts.ink?.content).toMatch(/See \[paper\]\(\/a4\/\)[\s\S]*!\[A\]\(platen-image:/);
    expect(found.posts.a4?.oldAddresses).toEqual(['/papers/a4.html']);
    // The address of a page is that of its file: here the one that it has in Platen.
    expect(found.posts.about).toMatchObject({ type: 'page', oldAddresses: ['/me/'] });
    expect(found.posts.later?.status).toBe('draft');
    expect(await found.read('platen.yaml')).toContain(
      'name: Notes\ndescription: On type\nsettings:\n  language: de\n',
    );
  });

  it('is read from a zip, too', async () => {
    const zip = zipOf(Object.entries(jekyll).map(([name, content]) => ({ name: `site/${name}`, content })));
    const found = await importOf({ 'site.zip': zip }, 'site.zip');
    expect(Object.keys(found.posts).sort()).toEqual(['a4', 'about', 'ink', 'later']);
    expect(found.files.filter((file) => file.startsWith('images/'))).toHaveLength(1);
  });

  it.each([
    ['date', '/craft/2020/02/03/ink.html'],
    ['pretty', '/craft/2020/02/03/ink/'],
    ['none', '/craft/ink.html'],
    ['ordinal', '/craft/2020/034/ink.html'],
    ['/blog/:i_month-:i_day/:slug', '/blog/2-3/ink'],
  ])('has addresses in the style %s', async (style, address) => {
    const found = await importOf({ ...jekyll, '_config.yml': `permalink: ${style}\n` });
    expect(found.posts.ink?.oldAddresses).toEqual([address]);
  });
});

describe('the folder of a site of Hugo', () => {
  const hugo = {
    'hugo.toml':
      'title = "Notes"\nbaseURL = "https://old.example/"\nlanguageCode = "en-gb"\n[params]\ndescription = "On type"\n[[menus.main]]\nname = "About"\npageRef = "/about/"\nweight = 2\n[[menus.main]]\nname = "Home"\nurl = "/"\nweight = 1\n',
    'content/_index.md': '# Home',
    'content/posts/ink/index.md':
      '+++\ntitle = "Ink"\ndate = 2020-02-03T04:05:06Z\ntags = ["one"]\nseries = ["Materials"]\n+++\n![A](a.png) {{< youtube aqz-KE-bpKQ >}} {{< unknown >}} [paper]({{< ref "/posts/paper.md" >}})',
    'content/posts/ink/a.png': png(),
    'content/posts/paper.md': '---\ntitle: Paper\ndate: 2020-02-04\naliases: [/p/]\nslug: a4\n---\nText',
    'content/posts/later.md': '---\ntitle: Later\ndraft: true\n---\nText',
    'content/about.md': '---\ntitle: About\n---\nText',
  };

  it('becomes one of Platen, with the addresses that its posts had', async () => {
    const found = await importOf(hugo);
    expect(found.complaints).toEqual([]);
    expect(found.posts.ink).toMatchObject({
      ...{ oldAddresses: ['/posts/ink/'], series: { name: 'Materials' }, date: '2020-02-03T04:05:06.000Z' },
      content: expect.stringMatching(
        /^!\[A\]\(platen-image:[\s\S]*youtube\.com\/watch\?v=aqz-KE-bpKQ[\s\S]*\[paper\]\(\/a4\/\)/,
      ),
    });
    expect(found.posts.a4?.oldAddresses).toEqual(['/p/', '/posts/a4/']);
    expect(found.posts.about?.type).toBe('page');
    expect(found.posts.later?.status).toBe('draft');
    expect(found.text).toContain('Platen has nothing for the shortcode unknown');
    expect(await found.read('platen.yaml')).toContain(
      'navigation:\n    - label: Home\n      url: /\n    - label: About\n      url: /about/\n',
    );
  });

  it('has addresses after a pattern', async () => {
    const found = await importOf({
      ...hugo,
      'hugo.toml': '[permalinks.page]\nposts = "/:year/:month/:slug/"\n',
    });
    expect(found.posts.ink?.oldAddresses).toEqual(['/2020/02/ink/']);
    const ugly = await importOf({ ...hugo, 'hugo.toml': 'uglyURLs = true\n' });
    expect(ugly.posts.ink?.oldAddresses).toEqual(['/posts/ink.html']);
    const unknown = await importOf({ ...hugo, 'hugo.toml': '[permalinks]\nposts = "/:nonsense/"\n' });
    expect(unknown.posts.ink?.oldAddresses).toEqual([]);
  });

  it('with a configuration that is none is read without it', async () => {
    const found = await importOf({ ...hugo, 'hugo.toml': 'title = \n' });
    expect(Object.keys(found.posts)).toHaveLength(4);
    expect(found.text).toContain('hugo.toml: cannot be read');
  });
});
