import { isDeepStrictEqual } from 'node:util';
import { tierFeatures } from '../build/fingerprint.ts';
import type { Config } from '../config/config.ts';

/** Settings of a server that its pages show. A command with others would build other pages. */
export interface ServerSettings {
  readonly publicUrl: string;
  readonly blogHost: string;
  readonly rootBlog: string | null;
  readonly mediaUrl: string;
  /** What plans include: `<tier>.<feature>`. */
  readonly features: readonly string[];
}

export const serverSettingsOf = (config: Config): ServerSettings => ({
  publicUrl: config.publicUrl,
  blogHost: config.blogHost,
  rootBlog: config.rootBlog,
  mediaUrl: config.mediaUrl,
  features: tierFeatures(config),
});

/** A setting that a command does not have as the server has it, and what to set. */
interface Difference {
  readonly server: string;
  readonly command: string;
  readonly set: string;
}

/** Says what a command lacks to build the pages that the server builds; null if it lacks nothing. */
export function settingsProblem(server: ServerSettings, command: ServerSettings): string | null {
  const differences = differencesOf(server, command);
  if (differences.length === 0) return null;
  const listed = (part: keyof Difference) => differences.map((one) => one[part]).join(', ');
  return `the server has ${listed('server')}, this command ${listed('command')}: set ${listed('set')}`;
}

function differencesOf(server: ServerSettings, command: ServerSettings): Difference[] {
  const [port, otherPort] = [onlyPortOf(server), onlyPortOf(command)];
  const addresses =
    port !== null && otherPort !== null
      ? difference('PORT', server.publicUrl, command.publicUrl, port)
      : addressDifferences(server, command);
  return [
    ...addresses,
    ...difference(
      'PLATEN_BLOG',
      server.rootBlog ?? 'no PLATEN_BLOG',
      command.rootBlog ?? 'no PLATEN_BLOG',
      server.rootBlog ?? '',
    ),
    ...(isDeepStrictEqual(server.features, command.features)
      ? []
      : [{ server: 'plans of its own', command: 'others', set: 'PLATEN_TIERS to the value of the server' }]),
  ];
}

/** The port, if all addresses follow from it: no other variable is set then. */
function onlyPortOf({ publicUrl, blogHost, mediaUrl }: ServerSettings): string | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const isDefault =
    protocol === 'http:' && hostname === 'localhost' && blogHost === `localhost:${port || '80'}`;
  return isDefault && mediaUrl === defaultMediaUrl(publicUrl) ? port || '80' : null;
}

/** Of the public URL, pages show the scheme, and, unless images have a URL of their own, all of it. */
function addressDifferences(server: ServerSettings, command: ServerSettings): Difference[] {
  const hasDefaultMedia = [server, command].every((one) => one.mediaUrl === defaultMediaUrl(one.publicUrl));
  const isShown =
    hasDefaultMedia || new URL(server.publicUrl).protocol !== new URL(command.publicUrl).protocol;
  return [
    ...(isShown ? difference('PLATEN_PUBLIC_URL', server.publicUrl, command.publicUrl) : []),
    ...difference('PLATEN_BLOG_HOST', server.blogHost, command.blogHost),
    ...(hasDefaultMedia ? [] : difference('PLATEN_MEDIA_URL', server.mediaUrl, command.mediaUrl)),
  ];
}

const defaultMediaUrl = (publicUrl: string): string => `${publicUrl}/media`;

const difference = (variable: string, server: string, command: string, value = server): Difference[] =>
  server === command ? [] : [{ server, command, set: `${variable}=${value}` }];
