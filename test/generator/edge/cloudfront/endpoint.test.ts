import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { expect, it } from 'vitest';
import { startAwsEndpoint } from '../../../support/aws-endpoint.ts';
import { awsModel } from '../../../support/aws-model.ts';

const model = awsModel('botocore-cloudfront-2020-05-31.json');
const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';

// Tests the checks by which the other suites judge requests.
if (model !== null) {
  it.each([
    ['<InvalidationBatch><CallerReference>1</CallerReference></InvalidationBatch>', /namespace null/],
    [
      `<InvalidationBatch xmlns="${NAMESPACE}"><CallerReference>1</CallerReference></InvalidationBatch>`,
      /Paths is missing/,
    ],
    [`<Batch xmlns="${NAMESPACE}"/>`, /is Batch, not InvalidationBatch/],
    [
      `<InvalidationBatch xmlns="${NAMESPACE}"><Paths><Quantity>many</Quantity></Paths><CallerReference>1</CallerReference></InvalidationBatch>`,
      /is no number: many/,
    ],
    [
      `<InvalidationBatch xmlns="${NAMESPACE}"><Paths><Quantity>1</Quantity><Items><Item>/</Item></Items></Paths><CallerReference>1</CallerReference></InvalidationBatch>`,
      /has Item where Path belongs/,
    ],
    [
      `<InvalidationBatch xmlns="${NAMESPACE}"><Paths><Quantity>0</Quantity></Paths><CallerReference>1</CallerReference><More/></InvalidationBatch>`,
      /has no More/,
    ],
    ['<InvalidationBatch>', /not well-formed/],
  ])('the fake CloudFront reports a request that violates the AWS model: %s', async (body, problem) => {
    const aws = await startAwsEndpoint();
    // The SDK client is real up to the bytes that it sends.
    const client = new CloudFrontClient({ ...aws.client, maxAttempts: 1 });
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(Object(args.request), { body });
        Object.assign(Object(args.request).headers, { 'content-length': String(Buffer.byteLength(body)) });
        return next(args);
      },
      { step: 'build', priority: 'low' },
    );
    const command = new CreateInvalidationCommand({
      DistributionId: aws.distributionId,
      InvalidationBatch: { CallerReference: '1', Paths: { Quantity: 0 } },
    });
    await client.send(command).catch(() => {});
    await aws.close();
    expect(aws.problems.join('\n')).toMatch(problem);
  });
}

it('the fake CloudFront refuses operations that Platen should not use', async () => {
  const aws = await startAwsEndpoint();
  const { port } = new URL(aws.client.endpoint);
  expect((await fetch(`http://127.0.0.1:${port}/2020-05-31/distribution`)).status).toBe(404);
  await aws.close();
  expect(aws.problems).toEqual(['nobody was to ask for GET /2020-05-31/distribution']);
});
