/** What an operator is told of a failure of S3, by the name that S3, the SDK or Node gives it. */
const explanations: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  InvalidAccessKeyId: 'the access key is not known there: set AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key does not belong to the access key: set AWS_SECRET_ACCESS_KEY',
  InvalidToken: 'the session token is not valid: set AWS_SESSION_TOKEN, or unset it for lasting credentials',
  ExpiredToken: 'the credentials have expired: get new ones, and set AWS_SESSION_TOKEN to theirs',
  AccessDenied: 'these credentials may not do this: give them the permissions of docs/aws.md',
  NoSuchKey: 'there is no such file',
  NoSuchBucket: 'there is no such bucket: set S3_BUCKET, or make it',
  InvalidBucketName: 'that is no name of a bucket: set S3_BUCKET',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION, or S3_ENDPOINT, to where it is',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION to where it is',
  TemporaryRedirect: 'the bucket is in another region: set AWS_REGION, or S3_ENDPOINT, to where it is',
  IllegalLocationConstraintException: 'the bucket is in another region: set AWS_REGION to where it is',
  RegionMissing: 'no region is known: set AWS_REGION to where the bucket is',
  RequestTimeTooSkewed: "this machine's clock differs from that of S3: have it set by NTP",
  ECONNREFUSED: 'nothing listens there: check S3_ENDPOINT, and that the server runs',
  ENOTFOUND: 'there is no such host: check S3_ENDPOINT, AWS_REGION and the DNS of this machine',
  EAI_AGAIN: 'the DNS of this machine does not answer',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  TimeoutError: 'no answer came in time',
  ETIMEDOUT: 'no answer came in time',
  AbortError: 'no answer came in time',
  SlowDown: 'S3 asks for fewer requests at once',
  ServiceUnavailable: 'S3 is not available for the time being',
  InternalError: 'S3 failed',
  CERT_HAS_EXPIRED: 'the TLS certificate of S3_ENDPOINT has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'nobody vouches for the TLS certificate of S3_ENDPOINT: set NODE_EXTRA_CA_CERTS to who does',
  SELF_SIGNED_CERT_IN_CHAIN:
    'nobody vouches for the TLS certificate of S3_ENDPOINT: set NODE_EXTRA_CA_CERTS to who does',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'nobody vouches for the TLS certificate of S3_ENDPOINT: set NODE_EXTRA_CA_CERTS to who does',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host: check S3_ENDPOINT',
  NotS3: 'what answers there does not speak S3: check S3_ENDPOINT',
  // As the SDK calls it where the answer has no name of S3's for it.
  NotFound: 'what answers there does not speak S3: check S3_ENDPOINT',
  EPROTO:
    'the endpoint does not speak TLS: check whether S3_ENDPOINT begins with http:// or https:// rightly',
};

/** Where S3 gives no name, as in an answer without a body. */
const explanationsByStatus: Readonly<Record<number, string>> = {
  301: explanations.PermanentRedirect ?? '',
  403: explanations.AccessDenied ?? '',
  503: explanations.ServiceUnavailable ?? '',
};

/** A failure of S3 with a message of one line that says what to do. The cause is what the SDK threw. */
export class S3Error extends Error {
  /** As S3, the SDK or Node calls it: `NoSuchKey`. */
  readonly code: string;

  constructor(doing: string, cause: unknown) {
    const code = codeOf(cause);
    const said = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    const region = regionOf(cause);
    // S3 has this name for whatever is wrong with a signature's form, and names a region where that is it.
    const isOtherwise = code === 'AuthorizationHeaderMalformed' && region === null;
    const explained = isOtherwise ? null : explain(code, statusOf(cause));
    const where = region !== null && explained?.endsWith('to where it is') ? `, ${region}` : '';
    super(`${doing}: ${explained ?? said}${where} (${code})`, { cause });
    this.name = 'S3Error';
    this.code = code;
  }
}

/** What to do about a failure that S3 reports by its code; null where that is not known. */
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

/** The region that S3 names in an answer, as the bucket's own. */
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
