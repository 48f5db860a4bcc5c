import type { UpdateBlog } from '../../../sdk/index.ts';
import { showDone, showFields, showWrite, waitFlags } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { showList, wholeListFlags } from '../../answers/show-list.ts';
import { command, type Group, optional, required } from '../../command-line/command.ts';
import type { Context } from '../../command-line/context.ts';
import { text } from '../../command-line/flags.ts';
import { profileNamed } from '../../profiles/sign-in.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { shownTime } from '../../terminal/moments.ts';

const list = command({
  flags: wholeListFlags,
  examples: ['blogs list', 'blogs list --json'],
  async run(context, _args, { all }) {
    const platen = await context.platen();
    return showList(
      context,
      platen.blogs.list({ signal: context.signal }),
      { all },
      {
        columns: [
          { name: 'slug', value: ({ slug }) => slug },
          { name: 'name', value: ({ name }) => name },
          { name: 'domain', value: ({ custom_domain: domain }) => domain },
          { name: 'id', value: ({ id }) => id, isWhole: true },
        ],
        empty: 'No blogs. platen blogs create makes the first one.',
      },
    );
  },
});

/** The blog that a command names, or else the one in use. */
export async function blogOf(context: Context, named: string | undefined): Promise<string> {
  const blog = named ?? (await context.signIn()).blog;
  if (blog !== undefined) return blog;
  const { data } = await (await context.platen()).blogs.list({ signal: context.signal });
  const [oldest] = data;
  if (oldest !== undefined) return oldest.id;
  throw new CommandError('this account has no blog: platen blogs create makes one');
}

const blogArgument = { blog: optional('slug or id of the blog; otherwise the one in use') };

const get = command({
  args: blogArgument,
  examples: ['blogs get', 'blogs get notes --json'],
  async run(context, { blog }) {
    const platen = await context.platen();
    const found = await platen.blogs.get(await blogOf(context, blog), { signal: context.signal });
    return showFields(context, found, {
      name: found.name,
      slug: found.slug,
      url: found.url,
      description: found.description,
      domain: found.custom_domain,
      language: found.settings.language,
      author: found.settings.author?.name,
      theme: Object.keys(found.theme_config).join(', '),
      created: shownTime(found.created_at),
      id: found.id,
      'taken down': found.taken_down_at && (found.taken_down_reason ?? found.taken_down_at),
    });
  },
});

const create = command({
  args: { slug: required('its name in addresses') },
  flags: {
    name: text('name', 'its name for readers (the slug)'),
    description: text('text', 'what it is about'),
    ...waitFlags,
  },
  examples: ['blogs create notes --name "Notes on type"'],
  async run(context, { slug }, { name, description, wait }) {
    const platen = await context.platen();
    const answer = await platen.blogs.create(
      { slug, name: name ?? slug, description },
      { signal: context.signal },
    );
    const done = `Created ${answer.slug}. platen blogs use ${answer.slug} makes it the one that commands act on`;
    return showWrite(context, platen, { wait }, { answer, done, url: answer.url });
  },
});

const update = command({
  about: 'A deploy changes more: platen.yaml in the folder has all settings, the theme and redirects.',
  args: blogArgument,
  flags: {
    name: text('name', 'its name for readers'),
    description: text('text', 'what it is about'),
    slug: text('slug', 'its name in addresses; the former one redirects for ever'),
    language: text('code', 'such as en or pt-BR'),
    accentColor: text('colour', 'such as #0a7ea4'),
    ...waitFlags,
  },
  examples: ['blogs update notes --name "Notes on type" --accent-color "#0a7ea4"'],
  async run(context, { blog }, { language, accentColor, wait, ...plain }) {
    const given = Object.entries(plain).filter(([, value]) => value !== undefined);
    const settings = { language, accent_color: accentColor };
    const hasSettings = language !== undefined || accentColor !== undefined;
    const fields: UpdateBlog = { ...Object.fromEntries(given), ...(hasSettings && { settings }) };
    if (Object.keys(fields).length === 0) throw new UsageError('nothing to change: give an option');
    const platen = await context.platen();
    const answer = await platen.blogs.update(await blogOf(context, blog), fields, { signal: context.signal });
    return showWrite(context, platen, { wait }, { answer, done: `Changed ${answer.slug}`, url: answer.url });
  },
});

const remove = command({
  args: { blog: required('slug or id of the blog') },
  examples: ['blogs delete notes'],
  async run(context, { blog }) {
    const platen = await context.platen();
    const { slug, url, id } = await platen.blogs.get(blog, { signal: context.signal });
    if (!(await isConfirmed(context, `Delete the blog ${slug} (${url}) for good, with everything in it?`)))
      return;
    return showDone(
      context,
      await platen.blogs.delete(id, { signal: context.signal }),
      `Deleted the blog ${slug}`,
    );
  },
});

const use = command({
  args: { blog: required('slug or id of the blog') },
  examples: ['blogs use notes'],
  async run(context, { blog }) {
    const { profile, keyFrom } = await context.signIn();
    if (profile === null || keyFrom !== 'profile')
      throw new UsageError(
        'a blog is chosen for a profile, and the key in use is of none: give --blog to each command',
      );
    const platen = await context.platen();
    const { slug, id } = await platen.blogs.get(blog, { signal: context.signal });
    const settings = await context.profiles.load();
    const changed = { ...profileNamed(profile, settings), blog: slug };
    await context.profiles.save({ ...settings, profiles: { ...settings.profiles, [profile]: changed } });
    return showFields(context, { profile, blog: { id, slug } }, { profile, blog: slug });
  },
});

export const blogs: Group = {
  commands: [
    { name: 'list', summary: 'List the blogs of the account', load: async () => list },
    { name: 'get', summary: 'Show a blog', load: async () => get },
    { name: 'create', summary: 'Create a blog', load: async () => create },
    { name: 'update', summary: 'Change a blog', load: async () => update },
    { name: 'use', summary: 'Choose the blog that commands of this profile act on', load: async () => use },
    {
      name: 'delete',
      summary: 'Delete a blog for good, with its posts, keys and images',
      load: async () => remove,
    },
  ],
};
