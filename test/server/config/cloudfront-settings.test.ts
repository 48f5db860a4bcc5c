import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';

const S3 = {
  PLATEN_EDGE: 's3',
  S3_BUCKET: 'bucket',
  PLATEN_BLOG_HOST: 'Blogs.Example.org:8443',
  PLATEN_MEDIA_URL: 'https://media.blogs.example.org',
};
const CLOUDFRONT = {
  CLOUDFRONT_DISTRIBUTION_ID: 'EDFDVBD6EXAMPLE',
  CLOUDFRONT_KVS_ARN: 'arn:aws:cloudfront::123456789012:key-value-store/8562g61f-caba-2845-9d99-b97diwae5d3c',
};

const cloudfront = (env: Record<string, string>) => {
  const { edge } = readConfig(env);
  return edge.kind === 's3' ? edge.cloudfront : undefined;
};

describe('the CloudFront settings', () => {
  it('CloudFront is configured for a bucket by its distribution, with the blog host', () => {
    expect(cloudfront(S3)).toBeNull();
    expect(cloudfront({ ...S3, ...CLOUDFRONT })).toEqual({
      distributionId: CLOUDFRONT.CLOUDFRONT_DISTRIBUTION_ID,
      keyValueStoreArn: CLOUDFRONT.CLOUDFRONT_KVS_ARN,
      blogHost: 'blogs.example.org',
      connectionGroupId: null,
    });
  });

  it('CloudFront has tenants if a connection group is configured', () => {
    const CLOUDFRONT_CONNECTION_GROUP_ID = 'cg_2whCJoXMYCjHcxaLGrkllvyABC';
    expect(cloudfront({ ...S3, ...CLOUDFRONT, CLOUDFRONT_CONNECTION_GROUP_ID })?.connectionGroupId).toBe(
      CLOUDFRONT_CONNECTION_GROUP_ID,
    );
  });

  it.each([
    ['CLOUDFRONT_KVS_ARN', { ...S3, ...CLOUDFRONT, CLOUDFRONT_DISTRIBUTION_ID: '' }],
    ['CLOUDFRONT_DISTRIBUTION_ID', { ...S3, ...CLOUDFRONT, CLOUDFRONT_KVS_ARN: '' }],
    ['CLOUDFRONT_DISTRIBUTION_ID', { ...S3, ...CLOUDFRONT, PLATEN_BLOG_HOST: '' }],
    ['CLOUDFRONT_DISTRIBUTION_ID', { ...CLOUDFRONT, PLATEN_BLOG_HOST: 'example.org' }],
    ['CLOUDFRONT_DISTRIBUTION_ID', { ...S3, ...CLOUDFRONT, CLOUDFRONT_DISTRIBUTION_ID: 'arn:aws:x' }],
    ['CLOUDFRONT_KVS_ARN', { ...S3, ...CLOUDFRONT, CLOUDFRONT_KVS_ARN: '8562g61f' }],
    ['CLOUDFRONT_CONNECTION_GROUP_ID', { ...S3, CLOUDFRONT_CONNECTION_GROUP_ID: 'cg_1' }],
  ])('wrong CloudFront settings are refused by name: %s', (name, env) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^configuration: (?:.*; )?${name}: `));
  });
});
