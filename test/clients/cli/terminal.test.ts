import { describe, expect, it } from 'vitest';
import { PreviewError } from '../../../clients/cli/dev/server-process.ts';
import { FolderError } from '../../../clients/cli/folder/walk.ts';
import { CommandError, NotSignedInError, UsageError } from '../../../clients/cli/terminal/errors.ts';
import { failureOf, failureText } from '../../../clients/cli/terminal/failures.ts';
import { parseTime } from '../../../clients/cli/terminal/moments.ts';
import { onOneLine, shortened, widthOf, withLines } from '../../../clients/cli/terminal/shown-text.ts';
import { fieldLines, table } from '../../../clients/cli/terminal/table.ts';
import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlatenError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from '../../../clients/sdk/index.ts';

describe('a table', () => {
  const columns = [
    { name: 'slug', value: ({ slug }: Row) => slug },
    { name: 'n', value: ({ n }: Row) => n, isNumber: true },
    { name: 'id', value: ({ id }: Row) => id, isWhole: true },
  ];
  interface Row {
    readonly slug: string;
    readonly n: number | null;
    readonly id: string;
  }
  const rows = [
    { slug: '한글 글', n: 7, id: '0123456789ab' },
    { slug: 'a-rather-long-slug-of-a-post', n: 1234, id: '0123456789cd' },
    { slug: 'evil\u001b[2J\ttitle', n: null, id: '0' },
  ];

  it('has columns that fit the terminal, and shortens none that people copy', () => {
    expect(table({ columns: 40, colours: false }, columns, rows)).toBe(
      [
        'SLUG                     N  ID',
        '한글 글                  7  0123456789ab',
        'a-rather-long-slug-…  1234  0123456789cd',
        'evil [2J title              0',
        '',
      ].join('\n'),
    );
  });

  it('has values separated by tabs for programs', () => {
    expect(table({ columns: null, colours: false }, columns, rows)).toBe(
      '한글 글\t7\t0123456789ab\na-rather-long-slug-of-a-post\t1234\t0123456789cd\nevil [2J title\t\t0\n',
    );
  });

  it('of fields leaves out what has no value', () => {
    const fields = { name: 'Notes', domain: null, description: '', id: 7 };
    expect(fieldLines({ columns: 80, colours: false }, fields)).toBe('name  Notes\nid    7\n');
    expect(fieldLines({ columns: null, colours: false }, fields)).toBe('name\tNotes\nid\t7\n');
  });
});

describe('a text of others', () => {
  it('cannot act on the terminal', () => {
    expect(onOneLine('a\u001b]0;b\u0007\u202e\r\nc')).toBe('a ]0;b c');
    expect(withLines('a\u001b[31m\n\tb\u009b2J\u2066')).toBe('a[31m\n\tb2J');
  });

  it('is measured and shortened by what is seen', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('é'), widthOf('👩‍💻')]).toEqual([3, 4, 1, 2]);
    expect([shortened('日本語', 5), shortened('日本語', 6), shortened('abc', 2)]).toEqual([
      '日本…',
      '日本語',
      'a…',
    ]);
  });
});

describe('a time that somebody typed', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['2026-03-14T09:30Z', '2026-03-14T09:30:00.000Z'],
    ['2026-03-14 09:30:05+01:00', '2026-03-14T08:30:05.000Z'],
    ['2026-03-14T09:30-0200', '2026-03-14T11:30:00.000Z'],
    ['2026-03-14T09:30', new Date(2026, 2, 14, 9, 30).toISOString()],
    ['2026-03-14', new Date(2026, 2, 14).toISOString()],
    ['+90m', '2026-01-01T01:30:00.000Z'],
    ['+3d', '2026-01-04T00:00:00.000Z'],
    ['2026-02-30T09:30Z', undefined],
    ['2026-03-14T25:00Z', undefined],
    ['tomorrow', undefined],
    ['+2', undefined],
    ['', undefined],
  ])('%s', (typed, expected) => {
    expect(parseTime(typed, now)).toBe(expected);
  });
});

describe('an error', () => {
  const of = (kind: typeof PlatenError, status?: number) => new kind('conflict', 'why', { status });
  it.each<[unknown, number]>([
    [of(UnauthorizedError), 3],
    [of(ForbiddenError), 3],
    [new NotSignedInError('why'), 3],
    [of(NotFoundError), 4],
    [of(ConflictError), 5],
    [of(PreconditionFailedError), 5],
    [of(ConnectionError), 6],
    [of(TimeoutError), 6],
    [of(ServerError, 503), 6],
    [of(ServerError, 500), 1],
    [of(RateLimitError), 1],
    [of(PlatenError), 1],
    [new PlatenError('invalid_call', 'why'), 2],
    [new UsageError('why'), 2],
    [new CommandError('why'), 1],
    [new FolderError('why'), 1],
    [new PreviewError('why'), 1],
    [new DOMException('why', 'AbortError'), 130],
  ])('%s has the exit code %d', (error, code) => {
    const failure = failureOf(error, false);
    expect(failure.exitCode).toBe(code);
    expect(failure.message).toBe(code === 130 ? 'interrupted' : 'why');
  });

  it('of an interrupted command is the interruption', () => {
    expect(failureOf(of(ConnectionError), true).exitCode).toBe(130);
  });

  it('says where to read on, and what it says acts on no terminal', () => {
    const error = new ForbiddenError('forbidden', 'not in\u001b[2J your plan', {
      upgradeUrl: 'https://a/plans',
      docs: 'https://a/docs/accounts/#plans',
    });
    expect(failureText(failureOf(error, false), false)).toBe(
      'platen: not in[2J your plan\n  Plans: https://a/plans\n  https://a/docs/accounts/#plans\n',
    );
  });

  it('that is a mistake of ours has its place', () => {
    expect(failureOf(new TypeError('x is not a function'), false)).toMatchObject({
      exitCode: 1,
      code: 'unexpected',
      message: expect.stringContaining('terminal.test.ts'),
    });
  });
});
