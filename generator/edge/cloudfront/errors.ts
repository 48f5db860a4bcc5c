/** What to do about a CloudFront failure, by its error code from AWS, the SDK or Node. */
const explanations: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  AccessDenied: 'these credentials lack permission: give them the policy in docs/aws.md',
  AccessDeniedException: 'these credentials lack permission: give them the policy in docs/aws.md',
  InvalidClientTokenId: 'the access key is unknown: set AWS_ACCESS_KEY_ID',
  UnrecognizedClientException: 'the access key is unknown: set AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch:
    "the secret key does not belong to the access key, or this machine's clock is wrong: set AWS_SECRET_ACCESS_KEY",
  ExpiredToken: 'the credentials have expired: get new ones',
  ExpiredTokenException: 'the credentials have expired: get new ones',
  NoSuchDistribution: 'there is no such distribution: set CLOUDFRONT_DISTRIBUTION_ID',
  ResourceNotFoundException: 'there is no such KeyValueStore: set CLOUDFRONT_KVS_ARN',
  ServiceQuotaExceededException: 'the KeyValueStore is full: an AWS quota limits it to 5 MB',
  TooManyInvalidationsInProgress:
    'too many invalidations were still in progress when the retries ran out; the rebuild will be retried',
  Throttling: 'CloudFront still throttled requests when the retries ran out; the rebuild will be retried',
  ConflictException: 'another writer was still changing the KeyValueStore when the retries ran out',
  CNAMEAlreadyExists: 'the domain is in use by another distribution, in this or another AWS account',
  EntityLimitExceeded: 'the AWS quota for distribution tenants is used up',
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host was not found: check the DNS of this machine',
  TimeoutError: 'the request timed out',
};

/** A CloudFront failure with a one-line message that says what to do. `cause` is the error that the SDK threw. */
export class CloudFrontError extends Error {
  /** Error code or name from AWS, the SDK or Node. */
  readonly code: string;

  constructor(operation: string, cause: unknown) {
    const code = codeOf(cause);
    const causeMessage = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    super(`CloudFront: ${operation}: ${explanations[code] ?? causeMessage} (${code})`, { cause });
    this.name = 'CloudFrontError';
    this.code = code;
  }
}

/** Error codes of transient failures. */
const transientCodes = new Set([
  'TooManyInvalidationsInProgress',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'InternalServerException',
]);

/** Whether the same request may succeed if it is retried. */
export function isTransient(error: unknown): boolean {
  const { httpStatusCode: status } =
    error instanceof Error && '$metadata' in error ? Object(error.$metadata) : {};
  return transientCodes.has(codeOf(error)) || status === 429 || (typeof status === 'number' && status >= 500);
}

/** The error's `code` if it has one, otherwise its name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
