import { expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { serverSettingsOf, settingsProblem } from '../../../server/installation/server-settings.ts';

const problem = (server: Record<string, string>, command: Record<string, string>) =>
  settingsProblem(serverSettingsOf(readConfig(server)), serverSettingsOf(readConfig(command)));

const hosted = { PLATEN_PUBLIC_URL: 'https://api.example.org', PLATEN_BLOG_HOST: 'blogs.example.org' };

it.each([
  [{ PORT: '8104' }, {}, 'http://localhost:8104', 'http://localhost:8080', 'PORT=8104'],
  [{}, { PORT: '80' }, 'http://localhost:8080', 'http://localhost:80', 'PORT=8080'],
  [
    hosted,
    {},
    'https://api.example.org, blogs.example.org',
    'http://localhost:8080, localhost:8080',
    'PLATEN_PUBLIC_URL=https://api.example.org, PLATEN_BLOG_HOST=blogs.example.org',
  ],
  [
    { ...hosted, PLATEN_MEDIA_URL: 'https://cdn.example.org' },
    hosted,
    'https://cdn.example.org',
    'https://api.example.org/media',
    'PLATEN_MEDIA_URL=https://cdn.example.org',
  ],
  [{ ...hosted, PLATEN_BLOG: 'notes' }, hosted, 'notes', 'no PLATEN_BLOG', 'PLATEN_BLOG=notes'],
  [hosted, { ...hosted, PLATEN_BLOG: 'notes' }, 'no PLATEN_BLOG', 'notes', 'PLATEN_BLOG='],
  [
    { PLATEN_TIERS: '{"free": {"customCss": true}}' },
    {},
    'plans of its own',
    'others',
    'PLATEN_TIERS to the value of the server',
  ],
])('a command that lacks a setting of the server %j names it: %j', (server, command, has, instead, set) => {
  expect(problem(server, command)).toBe(`the server has ${has}, this command ${instead}: set ${set}`);
});

it.each([
  [{}, { PORT: '8080' }],
  [hosted, { ...hosted, PORT: '9000' }],
  [
    { ...hosted, PLATEN_MEDIA_URL: 'https://cdn.example.org' },
    {
      ...hosted,
      PLATEN_PUBLIC_URL: 'https://other.example.org',
      PLATEN_MEDIA_URL: 'https://cdn.example.org',
    },
  ],
  [{}, { PLATEN_TIERS: '{"free": {"posts": 9}}' }],
])('a command whose pages have the addresses of the server %j needs nothing else: %j', (server, command) => {
  expect(problem(server, command)).toBeNull();
});
