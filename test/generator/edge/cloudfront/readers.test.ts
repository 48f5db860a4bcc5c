import { startCloudFrontEdge } from '../../../support/cloudfront-edge.ts';
import { startEdgeServer } from '../../../support/edge-server.ts';
import { describeReaders } from '../../../support/reader-expectations.ts';

describeReaders('the embedded edge', startEdgeServer);
describeReaders('CloudFront', (options) => startCloudFrontEdge(options));
// Which request a function is told of with an answer, AWS does not say.
describeReaders('CloudFront, telling of requests as they were sent on', (options) =>
  startCloudFrontEdge({ ...options, toldAsSent: false }),
);
