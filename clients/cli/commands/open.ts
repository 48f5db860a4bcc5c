import { printJson } from '../answers/answers.ts';
import { command, optional } from '../command-line/command.ts';
import { toggle } from '../command-line/flags.ts';
import { UsageError } from '../terminal/errors.ts';
import { showInBrowser } from '../terminal/programs.ts';
import { blogOf } from './blogs/blogs.ts';

export const open = command({
  about: 'Prints the address, too. BROWSER names another program than the usual one.',
  args: { slug: optional('slug of a post; otherwise the blog') },
  flags: { docs: toggle('the guides of the server') },
  examples: ['open', 'open hello-world', 'open --docs'],
  async run(context, { slug }, { docs }) {
    const { terminal, environment, signal, common } = context;
    if (docs && slug !== undefined) throw new UsageError('give a post or --docs, not both');
    const url = await address();
    if (common.json) printJson(context, { url });
    else terminal.print(`${url}\n`);
    // Nobody looks at the screen of a script.
    if (terminal.columns === null && !environment.BROWSER) return;
    if (!(await showInBrowser(url, environment, process.platform)))
      terminal.tell('No browser could be started: set BROWSER to the one that you use.\n');

    async function address(): Promise<string> {
      if (docs) return `${(await context.signIn()).url}/docs/`;
      const platen = await context.platen();
      if (slug === undefined)
        return (await platen.blogs.get(await blogOf(context, undefined), { signal })).url;
      const post = await platen.posts.get(slug, { signal });
      if (post.status !== 'published')
        throw new UsageError(
          `${slug} is ${post.status === 'draft' ? 'a draft' : 'not published yet'}: platen posts preview ${slug} --open shows it`,
        );
      return post.url;
    }
  },
});
