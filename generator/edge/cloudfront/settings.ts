/** The distribution that stands in front of a bucket. Credentials are found by the SDK, as for the bucket. */
export interface CloudFrontSettings {
  readonly distributionId: string;
  /** ARN of the KeyValueStore that the distribution's function reads. */
  readonly keyValueStoreArn: string;
  /** Host below which blogs are, without a port. */
  readonly blogHost: string;
  /**
   * Connection group of the tenants that custom domains become, each with a certificate of its own; null where they
   * become none.
   */
  readonly connectionGroupId: string | null;
}
