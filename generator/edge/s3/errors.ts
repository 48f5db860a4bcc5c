/** What to do about an S3 failure, by its error code from S3, the SDK or Node. */
const explanations: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  InvalidAccessKeyId: 'the access key is unknown: set AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key does not belong to the access key: set AWS_SECRET_ACCESS_KEY',
  InvalidToken:
    'the session token is not valid: set AWS_SESSION_TOKEN, or unset it for long-term credentials',
  ExpiredToken: 'the credentials have expired: get new ones, and set AWS_SESSION_TOKEN to their token',
  AccessDenied: 'these credentials lack permission: give them the permissions in docs/aws.md',
  NoSuchKey: 'there is no such file',
  NoSuchBucket: 'there is no such bucket: set S3_BUCKET, or create the bucket',
  InvalidBucketName: 'that is not a valid bucket name: set S3_BUCKET',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION, or S3_ENDPOINT, to where it is',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION to where it is',
  TemporaryRedirect: 'the bucket is in another region: set AWS_REGION, or S3_ENDPOINT, to where it is',
  IllegalLocationConstraintException: 'the bucket is in another region: set AWS_REGION to where it is',
  RegionMissing: 'the region is unknown: set AWS_REGION to where the bucket is',
  RequestTimeTooSkewed: "this machine's clock differs from S3's: synchronize it with NTP",
  ECONNREFUSED: 'the connection was refused: check S3_ENDPOINT, and that the server runs',
  ENOTFOUND: 'the host was not found: check S3_ENDPOINT, AWS_REGION and the DNS of this machine',
  EAI_AGAIN: 'the DNS of this machine does not answer',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  TimeoutError: 'the request timed out',
  ETIMEDOUT: 'the request timed out',
  AbortError: 'the request timed out',
  SlowDown: 'S3 throttles requests',
  ServiceUnavailable: 'S3 is temporarily unavailable',
  InternalError: 'S3 failed',
  CERT_HAS_EXPIRED: 'the TLS certificate of S3_ENDPOINT has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the TLS certificate of S3_ENDPOINT is not trusted: set NODE_EXTRA_CA_CERTS to the CA that issued it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the TLS certificate of S3_ENDPOINT is not trusted: set NODE_EXTRA_CA_CERTS to the CA that issued it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the TLS certificate of S3_ENDPOINT is not trusted: set NODE_EXTRA_CA_CERTS to the CA that issued it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host: check S3_ENDPOINT',
  NotS3: 'the server does not speak S3: check S3_ENDPOINT',
  // The SDK's name for a 404 without an S3 error code.
  NotFound: 'the server does not speak S3: check S3_ENDPOINT',
  EPROTO:
    'the endpoint does not speak TLS: check whether S3_ENDPOINT must begin with http:// instead of https://',
};

/** For responses without an S3 error code, for example without a body. */
const explanationsByStatus: Readonly<Record<number, string>> = {
  301: explanations.PermanentRedirect ?? '',
  403: explanations.AccessDenied ?? '',
  503: explanations.ServiceUnavailable ?? '',
};

/** An S3 failure with a one-line message that says what to do. `cause` is the error that the SDK threw. */
export class S3Error extends Error {
  /** Error code from S3, the SDK or Node, such as `NoSuchKey`. */
  readonly code: string;

  constructor(operation: string, cause: unknown) {
    const code = codeOf(cause);
    const causeMessage = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    const region = regionOf(cause);
    // S3 uses this code for every malformed signature, but names a region only if the region is wrong.
    const isUnrelatedToRegion = code === 'AuthorizationHeaderMalformed' && region === null;
    const explained = isUnrelatedToRegion ? null : explain(code, statusOf(cause));
    const regionSuffix = region !== null && explained?.endsWith('to where it is') ? `, ${region}` : '';
    super(`${operation}: ${explained ?? causeMessage}${regionSuffix} (${code})`, { cause });
    this.name = 'S3Error';
    this.code = code;
  }
}

/** What to do about a failure with this S3 error code; null if that is unknown. */
export const explain = (code: string, status = 0): string | null =>
  explanations[code] ?? explanationsByStatus[status] ?? (status >= 500 ? 'S3 failed' : null);

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const codes = 'code' in error ? [String(error.code), error.name] : [error.name];
  if (error.message === 'Region is missing') return 'RegionMissing';
  if (/XML parse error|Deserialization error/.test(error.message)) return 'NotS3';
  const known = codes.find((code) => code in explanations);
  const [code = 'Error'] = codes;
  const status = statusOf(error);
  return known ?? (/^(?:Error|Unknown(?:Error)?)$/.test(code) && status > 0 ? String(status) : code);
}

/** The bucket's region, if the response names it. */
function regionOf(error: unknown): string | null {
  const { Region, $response } = Object(error);
  const region = Region ?? $response?.headers?.['x-amz-bucket-region'];
  return typeof region === 'string' ? region : null;
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 0;
  const { httpStatusCode } = Object(error.$metadata);
  return typeof httpStatusCode === 'number' ? httpStatusCode : 0;
}
