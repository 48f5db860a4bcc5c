import { printJson } from '../../answers/answers.ts';
import { command, required } from '../../command-line/command.ts';
import { toggle } from '../../command-line/flags.ts';
import { withLines } from '../../terminal/shown-text.ts';

export const getPost = command({
  about: 'What is printed can be edited and sent back with platen posts update.',
  args: { slug: required('slug of the post') },
  flags: { html: toggle('print its HTML instead') },
  examples: ['posts get hello-world', 'posts get hello-world > hello.md', 'posts get hello-world --json'],
  async run(context, { slug }, { html }) {
    const platen = await context.platen();
    const post = await platen.posts.get(slug, { signal: context.signal });
    if (context.common.json) return printJson(context, post);
    const text = html ? post.content_html : (await import('./document.ts')).documentOf(post);
    // A program gets it byte for byte.
    context.terminal.print(context.terminal.columns === null ? text : withLines(text));
  },
});
