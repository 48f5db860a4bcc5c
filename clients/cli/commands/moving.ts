import { command, required } from '../command-line/command.ts';
import type { Context } from '../command-line/context.ts';
import { choice, text, toggle, unless } from '../command-line/flags.ts';
import { sourceKinds } from '../imports/imported-blog.ts';

export const importCommand = command({
  about:
    'Writes the posts, pages, drafts and images of another system as a folder of Markdown, with redirects from their old ' +
    'addresses, and says what could not be carried. Publishes nothing without --deploy. If it is cut off, a second run goes on.',
  args: { source: required('export: a zip, XML or JSON file, or a folder', { isPath: true }) },
  flags: {
    from: choice(sourceKinds, 'system', 'the system, if it is not found out'),
    to: text('folder', 'folder to write (the name of the export, with -platen)'),
    site: text('url', 'address of the earlier site, if the export does not say it'),
    images: unless('leave images where they are'),
    force: toggle('write into a folder that is not empty'),
    deploy: toggle('deploy the folder when it is written'),
  },
  examples: [
    'import notes.ghost.json --site notes.example.org',
    'import wordpress.xml --to notes',
    'import medium-export.zip',
  ],
  async run(context, { source }, flags) {
    // Loaded here, so that help is there at once.
    const [{ importFrom }, { deployFolder }] = await Promise.all([
      import('./import.ts'),
      import('./folders.ts'),
    ]);
    const { terminal, cwd, signal, common } = context;
    const deploy = (folder: string) => deployFolder(context, folder, {});
    return importFrom(
      { cwd, signal, print: terminal.print, onProgress: counted(context, 'read'), deploy },
      source,
      { ...flags, json: common.json },
    );
  },
});

export const exportCommand = command({
  about:
    'Writes everything of a blog as a folder that platen deploy takes as it is: posts, pages, drafts, images, settings, ' +
    'theme and redirects. If it is cut off, a second run goes on.',
  args: { folder: required('folder to write', { isPath: true }) },
  flags: { force: toggle('write into a folder that is not empty') },
  examples: ['export notes', 'export notes --blog notes'],
  async run(context, { folder }, { force }) {
    const { exportBlog } = await import('./export.ts');
    const { terminal, cwd, signal, common } = context;
    const [platen, { blog }] = [await context.platen(), await context.signIn()];
    return exportBlog(
      { platen, cwd, signal, print: terminal.print, onProgress: counted(context, 'written') },
      folder,
      { blog, force, json: common.json },
    );
  },
});

/** Posts between two lines of progress. */
const STEP = 500;

function counted({ terminal, common }: Context, done: string): (posts: number) => void {
  return (posts) => {
    if (!common.json && posts % STEP === 0) terminal.tell(`${posts} posts ${done}\n`);
  };
}
