/** What an operator is told of a failure of CloudFront, by the name that AWS, the SDK or Node gives it. */
const explanations: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  AccessDenied: 'these credentials may not do this: give them the policy of docs/aws.md',
  AccessDeniedException: 'these credentials may not do this: give them the policy of docs/aws.md',
  InvalidClientTokenId: 'the access key is not known: set AWS_ACCESS_KEY_ID',
  UnrecognizedClientException: 'the access key is not known: set AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch:
    "the secret key does not belong to the access key, or this machine's clock is wrong: set AWS_SECRET_ACCESS_KEY",
  ExpiredToken: 'the credentials have expired: get new ones',
  ExpiredTokenException: 'the credentials have expired: get new ones',
  NoSuchDistribution: 'there is no such distribution: set CLOUDFRONT_DISTRIBUTION_ID',
  ResourceNotFoundException: 'there is no such KeyValueStore: set CLOUDFRONT_KVS_ARN',
  ServiceQuotaExceededException: 'the KeyValueStore is full: it holds 5 MB, which a quota of AWS bounds',
  TooManyInvalidationsInProgress:
    'too many invalidations were still in progress at the end of the time that is waited; the rebuild is tried again',
  Throttling: 'CloudFront asked for fewer requests for longer than is waited; the rebuild is tried again',
  ConflictException: 'somebody else kept changing the KeyValueStore for longer than is tried',
  CNAMEAlreadyExists: 'the domain is in use by another distribution, of this or another AWS account',
  EntityLimitExceeded: 'there are as many distribution tenants as a quota of AWS allows',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host: check the DNS of this machine',
  TimeoutError: 'no answer came in time',
};

/** A failure of CloudFront with a message of one line that says what to do. The cause is what the SDK threw. */
export class CloudFrontError extends Error {
  /** As AWS, the SDK or Node calls it. */
  readonly code: string;

  constructor(doing: string, cause: unknown) {
    const code = codeOf(cause);
    const said = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    super(`CloudFront: ${doing}: ${explanations[code] ?? said} (${code})`, { cause });
    this.name = 'CloudFrontError';
    this.code = code;
  }
}

/** Failures after which the same request may succeed by itself. */
const passing = new Set([
  'TooManyInvalidationsInProgress',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'InternalServerException',
]);

export function isPassing(error: unknown): boolean {
  const { httpStatusCode: status } =
    error instanceof Error && '$metadata' in error ? Object(error.$metadata) : {};
  return passing.has(codeOf(error)) || status === 429 || (typeof status === 'number' && status >= 500);
}

/** The name of a failure. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
