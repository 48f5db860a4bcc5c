import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { imageMark } from '../../../../clients/cli/folder/folder-post.ts';
import { png, readAll } from './folder-of.ts';

const markOf = (bytes: Uint8Array) => imageMark(createHash('sha256').update(bytes).digest('hex'));

/** Small sites as each generator lays them out, and the posts that they are in Platen. */
describe('a site of', () => {
  it('Hugo: bundles, shortcodes, sections and aliases', async () => {
    const { generator, posts, errors, remarks } = await readAll({
      'hugo.toml': 'title = "Ink"',
      'archetypes/default.md': '---\ntitle: x\n---\n',
      'content/_index.md': '---\ntitle: Home\n---\n',
      'content/posts/2024-03-01-ink/index.md':
        '+++\ntitle = "Ink"\naliases = ["/old-ink/"]\n+++\n\nSee {{< ref "paper.md#sizes" >}} or [paper](../paper.md).\n\n' +
        '![A press](press.png)\n\n{{< figure src="/img/type.png" caption="Rows of type" >}}\n\n{{< youtube aqz-KE-bpKQ >}}\n\n' +
        '{{< highlight go >}}\nfunc main() {}\n{{< /highlight >}}\n\n{{% notice warning %}}\nInk stains.\n{{% /notice %}}\n\n' +
        '{{< chart data="a" >}}\n\n```md\n{{</* ref "x" */>}}\n```\n',
      'content/posts/2024-03-01-ink/press.png': png(),
      'static/img/type.png': png(1),
      'content/posts/paper.md': '---\ntitle: Paper\ndate: 2030-01-01\n---\n## Sizes {#sizes}\n',
      'content/about.md': '---\ntitle: About\ntype: page\ndraft: true\n---\nText',
      'public/index.md': 'built',
    });
    expect([generator, errors]).toEqual(['hugo', []]);
    expect(posts['content/posts/2024-03-01-ink/index.md']).toMatchObject({
      slug: 'ink',
      date: '2024-03-01T00:00:00.000Z',
      oldAddresses: ['/old-ink/'],
      status: 'published',
    });
    const { content = '' } = posts['content/posts/2024-03-01-ink/index.md'] ?? {};
    expect(content).toContain('or [paper](/paper/).');
    expect(content).toContain(`![A press](${markOf(png())})`);
    expect(content).toContain(`![Rows of type](${markOf(png(1))})`);
    expect(content).toContain('<figcaption>Rows of type</figcaption>');
    expect(content).toContain('\n\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ\n\n');
    expect(content).toContain('\n```go\nfunc main() {}\n```\n');
    expect(content).toContain('\n> [!WARNING]\n> Ink stains.\n');
    expect(content).toContain('{{< chart data="a" >}}');
    expect(content).toContain('```md\n{{< ref "x" >}}\n```');
    expect(posts['content/posts/paper.md']).toMatchObject({ slug: 'paper', status: 'scheduled' });
    expect(posts['content/about.md']).toMatchObject({ type: 'page', status: 'draft', date: undefined });
    expect(Object.keys(posts)).toHaveLength(3);
    expect(remarks.filter((remark) => remark.includes('chart'))).toEqual([
      'content/posts/2024-03-01-ink/index.md:22: Platen has nothing for the shortcode chart: it stays as it is written',
    ]);
    expect(
      remarks.filter((remark) => remark.includes('skipped')).map((remark) => remark.split(':')[0]),
    ).toEqual(['archetypes/default.md', 'content/_index.md', 'public/index.md']);
  });

  it('Jekyll: names with dates, Liquid and kramdown', async () => {
    const { generator, posts, remarks } = await readAll({
      '_config.yml': 'title: Ink',
      '_includes/youtube.html': '<iframe>',
      '_posts/2019-03-14-hello-world.markdown':
        '---\nlayout: post\ntitle: Hello\ncategories: news ink\n---\n' +
        '{:.lead}\nSee [paper]({% post_url 2019-04-01-paper %}) and [it again](/2019/04/01/paper.html).\n\n' +
        '{% highlight ruby %}\nputs "{{ x }}"\n{% endhighlight %}\n\n{% include youtube.html id="aqz-KE-bpKQ" %}\n\n' +
        '![Press]({{ site.baseurl }}/assets/press.png)\n\n{% raw %}{{ shown }}{% endraw %}\n\n{% gist ada/123 %}\n\n{{ page.title }}\n',
      '_posts/2019-04-01-paper.md': '---\ntitle: Paper\n---\n* TOC\n{:toc}\n\n## Sizes\n',
      '_drafts/later.md': '---\ntitle: Later\n---\nText',
      'about.md': '---\ntitle: About\npermalink: /about-us/\ntype: page\n---\nText',
      'assets/press.png': png(),
      'README.md': '# About this repository',
    });
    expect(generator).toBe('jekyll');
    const post = posts['_posts/2019-03-14-hello-world.markdown'];
    expect(post).toMatchObject({
      slug: 'hello-world',
      date: '2019-03-14T00:00:00.000Z',
      tags: ['news', 'ink'],
    });
    expect(post?.content).toContain('See [paper](/paper/) and [it again](/paper/).');
    expect(post?.content).toContain('```ruby\nputs "{{ x }}"\n```');
    expect(post?.content).toContain('https://www.youtube.com/watch?v=aqz-KE-bpKQ');
    expect(post?.content).toContain(`![Press](${markOf(png())})`);
    expect(post?.content).toContain('\n{{ shown }}\n');
    expect(post?.content).toContain('https://gist.github.com/ada/123');
    expect(post?.content).not.toContain('{:.lead}');
    expect(posts['_posts/2019-04-01-paper.md']?.content).toContain('[TOC]');
    expect(posts['_drafts/later.md']).toMatchObject({ status: 'draft', slug: 'later' });
    expect(posts['about.md']).toMatchObject({ slug: 'about-us', type: 'page' });
    expect(remarks).toContainEqual(
      '_posts/2019-03-14-hello-world.markdown:21: Platen runs no Liquid: the output {{ page.title }} stays as it is written',
    );
    expect(remarks).toContainEqual(expect.stringMatching(/^README\.md: skipped/));
  });

  it('Eleventy: JSON front matter, folders and pages that are not written', async () => {
    const { generator, posts, remarks } = await readAll({
      'eleventy.config.js': 'export default () => {}',
      'posts/2024-05-01/index.md': '---json\n{"title": "May", "tags": ["post"]}\n---\nText',
      'posts/ink.md': '---\ntitle: Ink\ndate: 2024-06-01\n---\n[May](/posts/2024-05-01/) {{ "/x/" | url }}',
      'hidden.md': '---\npermalink: false\n---\nText',
    });
    expect(generator).toBe('eleventy');
    expect(posts['posts/2024-05-01/index.md']).toMatchObject({
      date: '2024-05-01T00:00:00.000Z',
      tags: ['post'],
    });
    expect(posts['posts/ink.md']?.content).toBe(`[May](/${posts['posts/2024-05-01/index.md']?.slug}/) /x/`);
    expect(remarks).toEqual(['hidden.md: skipped: its `permalink` is false']);
  });

  it('Astro: collections, dates as people write them, MDX', async () => {
    const { generator, posts, remarks } = await readAll({
      'astro.config.mjs': '',
      'src/content/blog/first-post.mdx':
        "---\ntitle: First\npubDate: 'Jul 08 2022'\nheroImage: '../../assets/hero.png'\n---\nimport Box from '../Box.astro';\n\n<Box>Text</Box>\n\n{/* note */}\nEnd, see [it](./second/).",
      'src/content/blog/second/index.md': '---\ntitle: Second\npubDate: 2022-07-09\n---\nText',
      'src/assets/hero.png': png(),
    });
    expect(generator).toBe('astro');
    const post = posts['src/content/blog/first-post.mdx'];
    expect(post).toMatchObject({
      slug: 'first-post',
      date: '2022-07-08T00:00:00.000Z',
      cover: { url: markOf(png()) },
    });
    expect(post?.content).not.toMatch(/import|note/);
    expect(post?.content).toContain('see [it](/second/).');
    expect(remarks).toEqual([
      'src/content/blog/first-post.mdx:8: Platen runs no components: of <Box> only the text stays',
    ]);
  });

  it('Docusaurus: containers, titles and nested ones', async () => {
    const { generator, posts, remarks } = await readAll({
      'docusaurus.config.js': '',
      'blog/2021-08-26-welcome/index.md':
        '---\nslug: welcome\ntitle: Welcome\nauthors: [ada, bea]\n---\n\n:::note Before you *start*\n\nRead this.\n\n```md\ntext\n:::tip\n```\n\n:::\n\n' +
        '::::warning[Mind]\n:::tip\nInner\n:::\n::::\n\n:::details More\nText\n:::\n\n:::tabs\nOne\n:::\n',
    });
    expect(generator).toBe('docusaurus');
    const { content = '' } = posts['blog/2021-08-26-welcome/index.md'] ?? {};
    expect(content).toContain(
      '> [!NOTE] Before you *start*\n>\n> Read this.\n>\n> ```md\n> text\n> :::tip\n> ```\n',
    );
    expect(content).toContain('> [!WARNING] Mind\n>\n> > [!TIP]\n> > Inner\n');
    expect(content).toContain('<details><summary>More</summary>\n\nText\n\n</details>');
    expect(remarks).toEqual([
      'blog/2021-08-26-welcome/index.md:4: `authors` has several names: the post shows ada',
      'blog/2021-08-26-welcome/index.md:28: :::tabs is not a container that Platen has: its text stays',
    ]);
  });

  it('VuePress: containers with a space, the table of contents, options of fences', async () => {
    const { generator, posts } = await readAll({
      'docs/.vuepress/config.js': '',
      'docs/guide/ink.md':
        '# Ink\n\n[[toc]]\n\n::: danger STOP\nHot.\n:::\n\n```js{1,3}\na\n```\n\n[Paper](./paper.html#b)\n',
      'docs/guide/paper.md': '# Paper\n\nText',
    });
    expect(generator).toBe('vuepress');
    expect(posts['docs/guide/ink.md']).toMatchObject({
      title: 'Ink',
      content: '\n[TOC]\n\n\n> [!CAUTION] STOP\n> Hot.\n\n\n```js {1,3}\na\n```\n\n[Paper](/paper/#b)\n',
    });
  });
});
