import { S3Client } from '@aws-sdk/client-s3';
import { type Identity, toClientOptions } from '../identity.ts';
import { S3Error } from './errors.ts';

/** Address of a bucket, and the credentials for it. */
export interface S3Location {
  readonly bucket: string;
  /** Null for Amazon S3. */
  readonly endpoint: string | null;
  /** Whether URLs have the bucket's name in the path instead of the host. */
  readonly forcePathStyle: boolean;
  /** Null if the SDK must find it. */
  readonly region: string | null;
  readonly identity?: Identity;
}

/** Timeouts, in milliseconds. */
export interface S3Timeouts {
  readonly connection: number;
  /** From a request to the start of its response. */
  readonly request: number;
  /** All attempts of an operation together, including reading response bodies. */
  readonly total: number;
}

const DEFAULT_TIMEOUTS: S3Timeouts = { connection: 5_000, request: 30_000, total: 90_000 };

const MAX_ATTEMPTS = 4;

/** More than are ever in use: waiting for a socket would count against a request's timeout. */
const MAX_SOCKETS = 512;

/** A bucket with its client. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Runs an operation with a timeout. Rejects with an `S3Error` whose message names the operation. */
  attempt<T>(operation: string, work: (within: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>;
}

/** Other S3 servers need no region, but a signature must contain one. */
const DEFAULT_REGION = 'us-east-1';

/**
 * Creates a bucket's client. Sends no request yet. Transient failures are retried with backoff (SDK mode `standard`).
 */
export function openBucket(location: S3Location, timeouts: S3Timeouts = DEFAULT_TIMEOUTS): Bucket {
  const { bucket, endpoint, forcePathStyle } = location;
  const region = location.region ?? (endpoint === null ? null : DEFAULT_REGION);
  const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const client = new S3Client({
    forcePathStyle,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    ...toClientOptions(location.identity),
    ...(region !== null && { region }),
    // Other S3 servers may reject the checksums that the SDK adds by default.
    ...(endpoint !== null && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: {
      httpAgent: agentOptions,
      httpsAgent: agentOptions,
      connectionTimeout: timeouts.connection,
      requestTimeout: timeouts.request,
      throwOnRequestTimeout: true,
    },
  });
  return {
    client,
    name: bucket,
    async attempt(operation, work) {
      try {
        return await work({ abortSignal: AbortSignal.timeout(timeouts.total) });
      } catch (error) {
        throw new S3Error(`bucket ${bucket}: ${operation}`, error);
      }
    },
  };
}
