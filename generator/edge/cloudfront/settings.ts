/** The distribution in front of a bucket. It uses the same credentials as the bucket. */
export interface CloudFrontSettings {
  readonly distributionId: string;
  /** ARN of the KeyValueStore that the distribution's function reads. */
  readonly keyValueStoreArn: string;
  /** Parent host of the blogs' subdomains, without a port. */
  readonly blogHost: string;
  /**
   * Connection group for custom domains, each of which becomes a distribution tenant with its own certificate; null if
   * custom domains do not become tenants.
   */
  readonly connectionGroupId: string | null;
}
