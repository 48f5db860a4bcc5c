import { startCloudFrontEdge } from '../../../support/cloudfront-edge.ts';
import { startEdgeServer } from '../../../support/edge-server.ts';
import { describeReaders } from '../../../support/reader-expectations.ts';

describeReaders('the embedded edge', startEdgeServer);
describeReaders('CloudFront', (options) => startCloudFrontEdge(options));
// AWS does not document which request a response function gets.
describeReaders('CloudFront, telling of requests as they were sent on', (options) =>
  startCloudFrontEdge({ ...options, toldAsSent: false }),
);
