import { describe, expect, it } from 'vitest';
import { zipOf } from '../../../support/zip.ts';
import { imageServer, importOf } from './import-of.ts';

/** A post in the form of Medium's exports. */
const mediumPost = (body: string, { id = '0a1b2c3d4e5f', hasTitle = true, isDraft = false } = {}) =>
  `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>On ink</title><style>* { margin: 0 }</style></head><body><article class="h-entry">
<header>
<h1 class="p-name">On ink</h1>
</header>
<section data-field="subtitle" class="p-summary">
A short word
</section>
<section data-field="body" class="e-content">
<section name="9d6b" class="section section--body section--first section--last"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner sectionLayout--insetColumn">${hasTitle ? '<h3 name="aa" id="aa" class="graf graf--h3 graf--leading graf--title">On ink</h3><h4 name="ab" class="graf graf--h4 graf-after--h3 graf--subtitle">A short word</h4>' : ''}${body}</div></div></section>
</section>
<footer><p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada Byron</a>${isDraft ? '' : ` on <a href="https://medium.com/p/${id}"><time class="dt-published" datetime="2020-02-03T04:05:06.789Z">February 3, 2020</time></a>`}.</p><p><a href="https://medium.com/@ada/on-ink-${id}" class="p-canonical">Canonical link</a></p><p>Exported from <a href="https://medium.com">Medium</a> on March 4, 2021.</p></footer></article></body></html>`;

describe('an export of Medium', () => {
  it('is read from its zip', async () => {
    const { url } = await imageServer();
    const body =
      `<p name="b" class="graf graf--p">Text <strong class="markup--strong">bold</strong> <code class="markup--code">a_b</code>.</p>` +
      `<figure class="graf graf--figure"><img class="graf-image" data-image-id="1*a.png" src="${url}/max/800/1*a.png"><figcaption class="imageCaption">A pot</figcaption></figure>` +
      '<pre class="graf graf--pre">one<br>two</pre>' +
      '<div class="graf graf--mixtapeEmbed"><a href="https://a.example/x" class="markup--anchor markup--mixtapeEmbed-anchor"><strong class="markup--strong">A title</strong><br><em>Words</em>a.example</a><a href="https://a.example/x" class="js-mixtapeImage mixtapeImage"></a></div>' +
      '<figure class="graf graf--figure graf--iframe"><script src="https://gist.github.com/ada/0123abcd.js"></script></figure>';
    const found = await importOf(
      {
        'medium.zip': zipOf([
          { name: 'README.html', content: '<p>Your export</p>' },
          { name: 'posts/2020-02-03_On-ink-0a1b2c3d4e5f.html', content: mediumPost(body) },
          {
            name: 'posts/draft_On-ink-111111111111.html',
            content: mediumPost('<p class="graf">Not yet</p>', { id: '111111111111', isDraft: true }),
          },
          {
            name: 'posts/2020-02-04_Nice--222222222222.html',
            content: mediumPost('<p class="graf">Nice!</p>', { id: '222222222222', hasTitle: false }),
          },
          { name: 'claps/claps-0001.html', content: '<p>x</p>' },
        ]),
      },
      'medium.zip',
    );
    expect(found.complaints).toEqual([]);
    expect(found.posts['on-ink']).toMatchObject({
      ...{ title: 'On ink', date: '2020-02-03T04:05:06.789Z', description: 'A short word' },
      author: { name: 'Ada Byron', url: 'https://medium.com/@ada' },
      oldAddresses: ['/@ada/on-ink-0a1b2c3d4e5f', '/on-ink-0a1b2c3d4e5f'],
      content: expect.stringMatching(
        /^Text \*\*bold\*\* `a_b`\.\n\n!\[\]\(platen-image:\w+ "A pot"\)\n\n```\none\ntwo\n```\n\n\[A title\]\(https:\/\/a\.example\/x\)\n\nhttps:\/\/gist\.github\.com\/ada\/0123abcd\n$/,
      ),
    });
    expect([found.posts['on-ink-2']?.status, found.posts['on-ink-3']?.status]).toEqual(['draft', 'draft']);
    expect(found.text).toContain('has no title, as replies to other posts: it is a draft here');
    expect(found.text).toContain("Medium's export has no tags");
  });
});

const substackRows = (...rows: readonly string[]) =>
  [
    'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url',
    ...rows,
  ].join('\n');

describe('an export of Substack', () => {
  it('is read with its table', async () => {
    const { url } = await imageServer();
    const service = 'https://substackcdn.com/image/fetch/w_1456,c_limit,f_auto,q_auto:good/';
    const html =
      `<div class="captioned-image-container"><figure><a class="image-link image2" href="${service}${encodeURIComponent(`${url}/public/images/a.png`)}"><div class="image2-inset"><picture><source type="image/webp" srcset="x"><img src="${service}${encodeURIComponent(`${url}/public/images/a.png`)}" alt="A" data-attrs="{}"></picture><div class="image-link-expand"><svg></svg></div></div></a><figcaption class="image-caption">The caption</figcaption></figure></div>` +
      '<p>Claim<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>.</p>' +
      '<div class="subscription-widget-wrap" data-attrs="{}"><p>Thanks for reading! Subscribe.</p></div>' +
      '<div id="youtube2-aqz-KE-bpKQ" class="youtube-wrap"><div class="youtube-inner"><iframe src="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?rel=0"></iframe></div></div>' +
      '<div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false">1</a><div class="footnote-content"><p>Its <em>source</em>.</p></div></div>';
    const found = await importOf({
      'posts.csv': substackRows(
        '101.on-ink,2020-02-03T04:05:06.789Z,true,,,newsletter,everyone,"On ""ink"", and\nmore","A short word",',
        '102.paid,2020-02-04T04:05:06.789Z,true,,,newsletter,only_paid,Paid,,',
        '103.draft,,false,,,newsletter,everyone,Draft,,',
        '104.gone,2020-02-05T04:05:06.789Z,true,,,newsletter,everyone,Gone,,',
        '105.talk,2020-02-06T04:05:06.789Z,true,,,podcast,everyone,Talk,,https://api.substack.com/x.mp3',
      ),
      'posts/101.on-ink.html': html,
      'posts/101.on-ink.opens.csv': 'x',
      'posts/102.paid.html': '<p>Paid</p>',
      'posts/103.draft.html': '<p>Draft</p>',
      'posts/105.talk.html': '<p>Talk</p>',
      'email_list.example.csv': 'email\na@example.org',
    });
    expect(found.complaints).toEqual([]);
    expect(found.code).toBe(1);
    expect(found.posts['on-ink']).toMatchObject({
      ...{ title: 'On "ink", and more', description: 'A short word', oldAddresses: ['/p/on-ink'] },
      content: expect.stringMatching(
        /^!\[A\]\(platen-image:\w+ "The caption"\)\n\nClaim\[\^1\]\.\n\nhttps:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ\n\n\[\^1\]: Its \*source\*\.\n$/,
      ),
    });
    expect([found.posts.paid?.status, found.posts.draft?.status, found.posts.talk?.status]).toEqual([
      ...['draft', 'draft', 'published'],
    ]);
    for (const sentence of [
      'Gone: has no text: posts/104.gone.html is missing',
      'paid: is for only_paid in Substack: it is a draft here',
      'talk: its recording is not carried',
      'Left behind: 1 lists of subscribers',
    ])
      expect(found.text).toContain(sentence);
  });
});
