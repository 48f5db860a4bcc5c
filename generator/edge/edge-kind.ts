import type { KeyValueMirror } from './cloudfront/key-value-mirror.ts';
import type { Tenants } from './cloudfront/tenants.ts';
import type { ReadableEdge } from './edge.ts';
import type { FilesystemEdgeOptions } from './filesystem.ts';

/** A kind of edge, such as a bucket: how its settings are read, and the edge that they describe. */
export interface EdgeKind<Environment, Settings> {
  /** Missing and useless environment variables, each with the name of the variable to fix. */
  problems(env: Environment): Iterable<{ name: string; message: string }>;
  /** The settings from validated variables. Plain data, because threads get them too. */
  settingsOf(env: Environment, dataDir: string): Settings;
  /** Opens nothing yet. */
  edgeOf(settings: Settings): ConfiguredEdge;
}

/** An edge that is configured but not open. */
export interface ConfiguredEdge {
  /** Tells edges apart. Fingerprints contain it. */
  readonly name: string;
  /** The edge in messages to people. */
  readonly description: string;
  /**
   * The folder of this machine that holds the files, which this server serves to readers; null if they are elsewhere.
   */
  readonly localFolder: string | null;
  /**
   * Checks that the edge is usable and belongs to this installation, and claims it if nobody has. Rejects with a
   * message for the operator; returns warnings.
   */
  prepare(installation: string): Promise<string[]>;
  /** Rejects if the edge belongs to another installation. */
  assertOwn(installation: string): Promise<void>;
  /** Ignores options that do not apply to its kind. */
  open(options?: OpenEdgeOptions): Promise<ReadableEdge>;
  /** Null if no CloudFront distribution is configured. */
  openKeyValueMirror(defaultHeaders: string): Promise<KeyValueMirror | null>;
  /** Opens the distribution tenants that serve custom domains; null if they are not configured. */
  openTenants(): Promise<Tenants | null>;
}

export interface OpenEdgeOptions extends FilesystemEdgeOptions {
  /** The `_headers` file of a blog without additions of its own. Needed by callers that write `_headers` files. */
  readonly defaultHeaders?: string;
}
