import { printJson } from '../../answers/answers.ts';
import { command, required } from '../../command-line/command.ts';
import { count, toggle } from '../../command-line/flags.ts';
import { shownTime } from '../../terminal/moments.ts';
import { showInBrowser } from '../../terminal/programs.ts';

export const previewPost = command({
  args: { slug: required('slug of the post') },
  flags: { days: count('days until the link expires (7)'), open: toggle('open it in the browser') },
  examples: ['posts preview hello-world --open', 'posts preview hello-world --days 30'],
  async run(context, { slug }, { days, open }) {
    const { terminal, environment, signal } = context;
    const platen = await context.platen();
    const answer = await platen.posts.preview(slug, { expires_in: days }, { signal });
    if (context.common.json) printJson(context, answer);
    else {
      terminal.print(`${answer.url}\n`);
      terminal.tell(`Whoever has the link can read the post until ${shownTime(answer.expires_at)}.\n`);
    }
    if (open) await showInBrowser(answer.url, environment, process.platform);
  },
});
