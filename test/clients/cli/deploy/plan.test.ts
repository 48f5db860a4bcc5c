import { describe, expect, it } from 'vitest';
import { describePlan } from '../../../../clients/cli/deploy/describe.ts';
import {
  type LocalPost,
  type PlanOptions,
  planPosts,
  type RemotePost,
} from '../../../../clients/cli/deploy/plan/plan.ts';
import type { PostState } from '../../../../clients/cli/deploy/plan/state.ts';

const local = (
  file: string,
  sent: LocalPost['sent'] = { title: 't', text: 'x' },
  slug = file.replace('.md', ''),
): LocalPost => ({ file, slug, sent });
const remote = (id: string, changes: Partial<RemotePost> = {}): RemotePost => ({
  ...{ id, slug: id, status: 'published', updated_at: '2026-01-01', published_at: '2026-01-01' },
  ...changes,
});
const known = (id: string, changes: Partial<PostState> = {}): PostState => ({
  ...{ id, slug: id, updated_at: '2026-01-01', etag: null, sent: { title: 't', text: 'x' } },
  ...changes,
});

function plan(
  files: readonly LocalPost[],
  posts: Readonly<Record<string, PostState>>,
  server: readonly RemotePost[],
  options: Partial<PlanOptions> = {},
) {
  const actions = planPosts(files, { posts }, server, { overwrite: false, deleteMissing: false, ...options });
  return actions.map((action) => [action.kind, action.file, 'why' in action ? action.why : '']);
}

const kinds = (...planned: Parameters<typeof plan>) =>
  plan(...planned).map(([kind, file]) => `${kind} ${file}`);

describe('the plan for a file', () => {
  it('that is new is to create it, unless its slug is taken: then the two are compared', () => {
    expect(plan([local('a.md')], {}, [])).toEqual([['create', 'a.md', 'new']]);
    expect(plan([local('a.md')], {}, [remote('a')])).toEqual([
      ['compare', 'a.md', expect.stringContaining('is not from this folder')],
    ]);
  });

  it('that says the same as before is to leave it', () => {
    expect(plan([local('a.md')], { 'a.md': known('a') }, [remote('a')])).toEqual([['unchanged', 'a.md', '']]);
  });

  it('that has changed names what', () => {
    const changed = local('a.md', { title: 'u', text: 'x', tags: 'new' }, 'b');
    expect(plan([changed], { 'a.md': known('a') }, [remote('a')])).toEqual([
      ['update', 'a.md', 'title, tags, slug, was a'],
    ]);
  });

  it('whose post was changed in Platen is to look first, also if the file has changed', () => {
    const server = [remote('a', { updated_at: '2026-02-02' })];
    const looks = [['compare', 'a.md', 'changed in Platen since the last deploy']];
    expect(plan([local('a.md')], { 'a.md': known('a') }, server)).toEqual(looks);
    expect(plan([local('a.md', { title: 'u' })], { 'a.md': known('a') }, server)).toEqual(looks);
  });

  it('whose post was deleted in Platen is to leave it so, unless told otherwise', () => {
    expect(plan([local('a.md')], { 'a.md': known('a') }, [])).toEqual([
      ['conflict', 'a.md', 'deleted in Platen since the last deploy'],
    ]);
    expect(kinds([local('a.md')], { 'a.md': known('a') }, [], { overwrite: true })).toEqual(['create a.md']);
  });

  it('that became a page is a conflict, because the API cannot change that', () => {
    const page = local('a.md', { title: 't', text: 'x', type: 'page' });
    expect(kinds([page], { 'a.md': known('a') }, [remote('a')])).toEqual(['conflict a.md']);
  });

  it('that is gone deletes its post only if asked to, and if nobody has changed it', () => {
    const state = { 'a.md': known('a'), 'b.md': known('b') };
    const server = [remote('a'), remote('b', { updated_at: '2026-02-02' }), remote('by-hand')];
    const deleteMissing = true;
    expect(kinds([], state, server)).toEqual(['missing a.md', 'missing b.md']);
    expect(kinds([], state, server, { deleteMissing })).toEqual(['delete a.md', 'conflict b.md']);
    expect(kinds([], state, server, { deleteMissing, overwrite: true })).toEqual([
      'delete a.md',
      'delete b.md',
    ]);
    expect(kinds([], state, [], { deleteMissing })).toEqual([]);
  });

  it('that was renamed is that of its post, by its slug or by its text', () => {
    const state = { 'a.md': known('a'), 'b.md': known('b', { sent: { title: 'o', text: 'other' } }) };
    const files = [
      local('new/a.md', { title: 'u', text: 'y' }, 'a'),
      local('c.md', { title: 'o', text: 'other' }),
    ];
    expect(plan(files, state, [remote('a'), remote('b')])).toEqual([
      ['update', 'new/a.md', 'title, text'],
      ['update', 'c.md', 'slug, was b'],
    ]);
  });

  it('with the name of a property of every object is an ordinary file', () => {
    expect(plan([local('constructor', undefined, 'a')], {}, [])).toEqual([['create', 'constructor', 'new']]);
  });
});

describe('a plan on a terminal', () => {
  const blog = { settings: null, redirects: [], goneRedirects: [], remarks: [], imagePaths: new Map() };

  it('is like a diff, with the reasons and the counts', () => {
    const state = { 'b.md': known('b'), 'c.md': known('c'), 'd.md': known('d') };
    const files = [local('a.md', { text: 'new' }), local('b.md', { title: 'u', text: 'x' }), local('d.md')];
    const actions = planPosts(files, { posts: state }, [remote('b'), remote('c'), remote('d')], {
      overwrite: false,
      deleteMissing: true,
    });
    const errors = [{ file: 'e.md', line: 3, message: '`date` must be a date' }];
    expect(describePlan({ actions, blog, errors, remarks: [] }, { colours: false })).toBe(
      [
        '+ create    a.md  /a/  new',
        '~ update    b.md  /b/  title',
        '- delete    c.md  /c/  the file is gone',
        'Not deployed:',
        '  e.md:3: `date` must be a date',
        '1 to create, 1 to update, 1 to delete, 1 unchanged',
        '1 file with errors',
      ].join('\n'),
    );
    const green = '\u001b[32m';
    expect(describePlan({ actions, blog, errors, remarks: [] }, { colours: true })).toContain(
      `${green}+ create`,
    );
  });
});
