import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiHosts, blogUrlOf, cnameTarget, readConfig, serviceHosts } from '../../../server/config/config.ts';

const KEY = `pk_live_${'k'.repeat(32)}`;

describe('the configuration', () => {
  it('the configuration needs no variables', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      dataDir: resolve('data'),
      databaseFile: resolve('data/platen.db'),
      edge: { kind: 'filesystem', folder: resolve('data/edge') },
      publicUrl: 'http://localhost:8080',
      mediaUrl: 'http://localhost:8080/media',
      blogHost: 'localhost:8080',
      blogProtocol: 'http:',
      apiKey: undefined,
      ownerEmail: 'owner@localhost',
      logLevel: 'info',
    });
  });

  it('an empty variable counts as unset', () => {
    const names =
      'PORT PLATEN_LISTEN PLATEN_DATA_DIR PLATEN_PUBLIC_URL PLATEN_BLOG_HOST PLATEN_MEDIA_URL PLATEN_API_KEY PLATEN_OWNER_EMAIL ' +
      'PLATEN_DNS_SERVERS PLATEN_TIERS PLATEN_SESSION_ISSUER PLATEN_SESSION_JWKS_URL PLATEN_SESSION_AUDIENCE ' +
      'PLATEN_TRUST_PROXY PLATEN_EDGE S3_BUCKET S3_ENDPOINT S3_FORCE_PATH_STYLE AWS_REGION LOG_LEVEL';
    const empty = Object.fromEntries(names.split(' ').map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('an address in place of a host is reported once', () => {
    expect(() => readConfig({ PLATEN_BLOG_HOST: 'https://example.org' })).toThrow(
      /^configuration: PLATEN_BLOG_HOST: [^;]*$/,
    );
  });

  it('every variable is read', () => {
    const config = readConfig({
      PORT: '65535',
      PLATEN_DATA_DIR: '/var/lib/platen',
      PLATEN_PUBLIC_URL: 'https://platen.example.org/base/',
      PLATEN_BLOG_HOST: 'Blogs.Example.org:444',
      PLATEN_MEDIA_URL: 'https://media.example.org/',
      PLATEN_API_KEY: KEY,
      PLATEN_OWNER_EMAIL: 'me@example.org',
      LOG_LEVEL: 'silent',
    });
    expect(config).toMatchObject({
      port: 65_535,
      databaseFile: '/var/lib/platen/platen.db',
      publicUrl: 'https://platen.example.org/base',
      blogHost: 'blogs.example.org:444',
      mediaUrl: 'https://media.example.org',
      apiKey: KEY,
      ownerEmail: 'me@example.org',
      logLevel: 'silent',
    });
    expect(blogUrlOf(config)({ slug: 'mine', domain: null })).toBe('https://mine.blogs.example.org:444/');
  });

  it.each([
    ['http:', 'localhost:80', 'http://mine.localhost/'],
    ['https:', 'localhost:443', 'https://mine.localhost/'],
    ['https:', 'localhost:80', 'https://mine.localhost:80/'],
    ['http:', 'localhost:8080', 'http://mine.localhost:8080/'],
  ])('the default port of a protocol is left out of addresses: %s %s', (blogProtocol, blogHost, url) => {
    expect(blogUrlOf({ blogProtocol, blogHost, rootBlog: null })({ slug: 'mine', domain: null })).toBe(url);
    expect(new URL(url).href).toBe(url);
  });

  it('PLATEN_BLOG names the blog at the blog host itself', () => {
    const config = readConfig({
      PLATEN_PUBLIC_URL: 'https://api.example.org',
      PLATEN_BLOG_HOST: 'Blog.Example.org',
      PLATEN_BLOG: 'notes',
    });
    const urlOf = blogUrlOf(config);
    expect(urlOf({ slug: 'notes', domain: null })).toBe('https://blog.example.org/');
    expect(urlOf({ slug: 'notes', domain: 'www.example.net' })).toBe('https://www.example.net/');
    expect(urlOf({ slug: 'other', domain: null })).toBe('https://other.blog.example.org/');
    expect(urlOf.subdomainOf('notes')).toBe('notes.blog.example.org');
    expect(cnameTarget(config, 'notes')).toBe('blog.example.org');
    expect(cnameTarget(config, 'other')).toBe('other.blog.example.org');
    expect(apiHosts(config)).not.toContain('blog.example.org');
    expect(serviceHosts(config)).toContain('blog.example.org');
  });

  it.each([
    [{ PLATEN_BLOG: 'notes' }, /PLATEN_BLOG: works only with PLATEN_BLOG_HOST/],
    [{ PLATEN_BLOG: 'Notes', PLATEN_BLOG_HOST: 'example.org' }, /PLATEN_BLOG: must be the slug of a blog/],
    [{ PLATEN_BLOG: 'blog', PLATEN_BLOG_HOST: 'example.org' }, /PLATEN_BLOG: is a reserved slug/],
    [
      { PLATEN_BLOG: 'notes', PLATEN_BLOG_HOST: 'localhost:8080' },
      /PLATEN_BLOG: PLATEN_BLOG_HOST is localhost, where/,
    ],
    [
      { PLATEN_BLOG: 'notes', PLATEN_BLOG_HOST: '192.0.2.1' },
      /PLATEN_BLOG_HOST is 192.0.2.1, where the API is/,
    ],
    [
      {
        PLATEN_BLOG: 'notes',
        PLATEN_BLOG_HOST: 'Example.org:8080',
        PLATEN_PUBLIC_URL: 'https://example.org',
      },
      /PLATEN_BLOG_HOST and PLATEN_PUBLIC_URL both have the host example.org: .* such as blog.example.org/,
    ],
    [
      {
        PLATEN_BLOG: 'notes',
        PLATEN_BLOG_HOST: 'example.org',
        PLATEN_MEDIA_URL: 'https://example.org/media',
      },
      /PLATEN_BLOG_HOST and PLATEN_MEDIA_URL both have the host/,
    ],
  ])('a blog host that cannot be a blog’s is refused: %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('the edge is a bucket if PLATEN_EDGE says so', () => {
    const env = { PLATEN_EDGE: 's3', S3_BUCKET: 'blogs', PLATEN_MEDIA_URL: 'https://media.example.org' };
    const amazon = { kind: 's3', bucket: 'blogs', endpoint: null, forcePathStyle: false, region: null };
    expect(readConfig(env).edge).toEqual({ ...amazon, cloudfront: null });
    expect(readConfig({ ...env, AWS_REGION: 'eu-central-1' }).edge).toMatchObject({ region: 'eu-central-1' });
    const S3_ENDPOINT = 'https://s3.example.org';
    const other = { endpoint: S3_ENDPOINT, forcePathStyle: true };
    expect(readConfig({ ...env, S3_ENDPOINT }).edge).toMatchObject(other);
    for (const spelling of ['https://S3.Example.org/', 'HTTPS://s3.example.org:443', `${S3_ENDPOINT}//`]) {
      expect(readConfig({ ...env, S3_ENDPOINT: spelling }).edge).toMatchObject(other);
    }
    const below = { endpoint: `${S3_ENDPOINT}:8443/S3` };
    expect(readConfig({ ...env, S3_ENDPOINT: `${S3_ENDPOINT}:8443/S3/` }).edge).toMatchObject(below);
    expect(readConfig({ ...env, S3_ENDPOINT, S3_FORCE_PATH_STYLE: 'false' }).edge).toMatchObject({
      forcePathStyle: false,
    });
  });

  it('missing settings of a bucket are named', () => {
    expect(() => readConfig({ PLATEN_EDGE: 's3' })).toThrow(
      /^configuration: S3_BUCKET: is needed with PLATEN_EDGE=s3; PLATEN_MEDIA_URL: is needed/,
    );
    expect(() => readConfig({ S3_BUCKET: 'blogs' })).toThrow(
      /^configuration: S3_BUCKET: works only with PLATEN_EDGE=s3/,
    );
  });

  it('addresses are derived from the port', () => {
    expect(readConfig({ PORT: '9000' })).toMatchObject({
      publicUrl: 'http://localhost:9000',
      blogHost: 'localhost:9000',
    });
  });

  it('DNS resolvers may have a port or none', () => {
    expect(readConfig({}).dnsServers).toEqual([]);
    const PLATEN_DNS_SERVERS =
      '192.0.2.1, 192.0.2.2:1,192.0.2.3:65535, 2001:db8::1, [2001:db8::2], [2001:db8::3]:53';
    expect(readConfig({ PLATEN_DNS_SERVERS }).dnsServers).toEqual(PLATEN_DNS_SERVERS.split(/, ?/));
  });

  it('sessions are refused unless an issuer is configured, and the issuer’s keys have a default address', () => {
    expect(readConfig({}).session).toBeNull();
    const PLATEN_SESSION_ISSUER = 'https://id.example.org/realm/';
    expect(readConfig({ PLATEN_SESSION_ISSUER }).session).toEqual({
      issuer: 'https://id.example.org/realm/',
      jwksUrl: 'https://id.example.org/realm/.well-known/jwks.json',
      audience: undefined,
    });
    const PLATEN_SESSION_JWKS_URL = 'http://keys.internal/jwks';
    const PLATEN_SESSION_AUDIENCE = 'dashboard';
    expect(
      readConfig({ PLATEN_SESSION_ISSUER, PLATEN_SESSION_JWKS_URL, PLATEN_SESSION_AUDIENCE }).session,
    ).toMatchObject({ jwksUrl: 'http://keys.internal/jwks', audience: 'dashboard' });
  });

  it('the server listens on the configured address, or else on every address', () => {
    expect(readConfig({}).listen).toBeUndefined();
    for (const PLATEN_LISTEN of ['127.0.0.1', '0.0.0.0', '::1', '::', '2001:db8::1', 'localhost']) {
      expect(readConfig({ PLATEN_LISTEN }).listen).toBe(PLATEN_LISTEN);
    }
  });

  it('only the configured proxies are trusted', () => {
    const trusted = (text: string) => readConfig({ PLATEN_TRUST_PROXY: text }).trustProxy;
    expect(trusted('')).toBe(0);
    expect(trusted('2')).toBe(2);
    expect(trusted('loopback')).toEqual(['loopback']);
    const networks = ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', 'uniquelocal'];
    expect(trusted(networks.join(', '))).toEqual(networks);
  });

  it('the configuration is immutable', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', ' '],
    ['PLATEN_LISTEN', 'example.org'],
    ['PLATEN_LISTEN', '127.0.0.1:8080'],
    ['PLATEN_LISTEN', '127.0.0.256'],
    ['PLATEN_LISTEN', '[::1]'],
    ['PLATEN_LISTEN', '*'],
    ['PLATEN_LISTEN', ' '],
    ['PLATEN_PUBLIC_URL', 'example.org'],
    ['PLATEN_PUBLIC_URL', 'ftp://example.org'],
    ['PLATEN_PUBLIC_URL', 'https://example.org/?a=b'],
    ['PLATEN_PUBLIC_URL', 'https://example.org/v1'],
    ['PLATEN_MEDIA_URL', 'media.example.org'],
    ['PLATEN_MEDIA_URL', 'https://example.org/media?'],
    ['PLATEN_BLOG_HOST', 'http://example.org'],
    ['PLATEN_BLOG_HOST', 'example.org/blogs'],
    ['PLATEN_BLOG_HOST', 'example.org:port'],
    ['PLATEN_BLOG_HOST', 'exa mple.org'],
    ['PLATEN_BLOG_HOST', '.example.org'],
    ['PLATEN_BLOG_HOST', 'example.org:65536'],
    ['PLATEN_API_KEY', `pk_live_${'k'.repeat(31)}`],
    ['PLATEN_API_KEY', 'k'.repeat(48)],
    ['PLATEN_OWNER_EMAIL', 'nobody'],
    ['PLATEN_DNS_SERVERS', 'dns.example.org'],
    ['PLATEN_DNS_SERVERS', '192.0.2.1 192.0.2.2'],
    ['PLATEN_DNS_SERVERS', '192.0.2.1,'],
    ['PLATEN_DNS_SERVERS', '192.0.2.1:'],
    ['PLATEN_DNS_SERVERS', '192.0.2.1:0'],
    ['PLATEN_DNS_SERVERS', '192.0.2.1:65536'],
    ['PLATEN_DNS_SERVERS', '192.0.2.256'],
    ['PLATEN_DNS_SERVERS', '[2001:db8::1]:0'],
    ['PLATEN_SESSION_ISSUER', 'id.example.org'],
    ['PLATEN_SESSION_JWKS_URL', 'https://id.example.org/keys'],
    ['PLATEN_SESSION_AUDIENCE', 'dashboard'],
    ['PLATEN_TRUST_PROXY', 'true'],
    ['PLATEN_TRUST_PROXY', '-1'],
    ['PLATEN_TRUST_PROXY', '1.5'],
    ['PLATEN_TRUST_PROXY', 'proxy.example.org'],
    ['PLATEN_TRUST_PROXY', '10.0.0.0/33'],
    ['PLATEN_TRUST_PROXY', '10.0.0.0/0'],
    ['PLATEN_TRUST_PROXY', '2001:db8::/129'],
    ['PLATEN_TRUST_PROXY', '10.0.0.0/8,'],
    ['PLATEN_EDGE', 'tape'],
    ['S3_ENDPOINT', 's3.example.org'],
    ['S3_ENDPOINT', 'https://key:secret@s3.example.org'],
    ['S3_FORCE_PATH_STYLE', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ])('the configuration refuses %s=%s by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^configuration: ${name}: `));
  });

  it('the error for wrong proxies explains their syntax', () => {
    expect(() => readConfig({ PLATEN_TRUST_PROXY: 'true' })).toThrow(
      'PLATEN_TRUST_PROXY: must be the number of proxies in front (such as 1), or their addresses or networks',
    );
  });

  it('all wrong variables are reported at once', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT: .*LOG_LEVEL: /);
  });

  it('a refused key is not repeated in the message', () => {
    const secret = 'pk_live_nearly-a-secret';
    expect(() => readConfig({ PLATEN_API_KEY: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('nearly') }),
    );
  });
});

describe('variables that nothing reads', () => {
  const warningsFor = (...names: string[]) =>
    readConfig(Object.fromEntries(names.map((name) => [name, 'x']))).warnings;

  it.each([
    ['PLATEN_PUBLIC_ULR', 'PLATEN_PUBLIC_ULR is not a setting: did you mean PLATEN_PUBLIC_URL?'],
    ['PLATEN_BLOGHOST', 'PLATEN_BLOGHOST is not a setting: did you mean PLATEN_BLOG_HOST?'],
    ['PLATEN_PORT', 'PLATEN_PORT is not a setting: did you mean PORT?'],
    ['PLATEN_LOG_LEVEL', 'PLATEN_LOG_LEVEL is not a setting: did you mean LOG_LEVEL?'],
    ['PLATEN_S3_BUCKET', 'PLATEN_S3_BUCKET is not a setting: did you mean S3_BUCKET?'],
    ['PLATEN_COLOUR', 'PLATEN_COLOUR is not a setting: nothing reads it'],
  ])('are named with the variable that was probably meant: %s', (name, warning) => {
    expect(warningsFor(name)).toEqual([warning]);
  });

  it('are at most twenty', () => {
    const names = Array.from({ length: 21 }, (_, n) => `PLATEN_${n}${n}${n}`);
    expect(warningsFor(...names.slice(1))).toHaveLength(20);
    expect(warningsFor(...names)).toHaveLength(20);
  });

  it('are not those of other programs', () => {
    expect(warningsFor('PATH', 'PLATENPRESS', 'PLATEN_CORPUS', 'PLATEN_SERVICE_HOST')).toEqual([]);
    const kubernetes = { PLATEN_PORT: 'tcp://10.0.0.7:8080', PLATEN_PORT_8080_TCP_PROTO: 'tcp' };
    expect(readConfig({ ...kubernetes, PLATEN_SERVICE_PORT: '8080' }).warnings).toEqual([]);
  });
});
