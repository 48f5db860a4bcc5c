import { Agent, createServer } from 'node:http';
import { closeServer, listen } from '../../server/http/server.ts';
import { type AwsModel, type AwsRequest, awsModel, labelsOf, problemsOf, type Tree } from './aws-model.ts';
import { type FakeTenant, tenantHandlers } from './aws-tenants.ts';
import {
  ACCOUNT,
  AwsFailure,
  childrenOf,
  failureBody,
  find,
  type Handlers,
  NAMESPACE,
  type Reply,
  readRequest,
  textOf,
} from './aws-wire.ts';

export interface RecordedRequest {
  readonly operation: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly body: Tree | null;
  readonly authorization: string;
}

/**
 * A fake CloudFront and KeyValueStore with the operations that Platen uses. It keeps what it is given, and records
 * all requests.
 */
export interface AwsEndpoint {
  readonly distributionId: string;
  readonly keyValueStoreArn: string;
  /** Options for the SDK's clients. */
  readonly client: ClientOptions;
  readonly requests: RecordedRequest[];
  /** Requests that violate the services' models. Always empty without the models. */
  readonly problems: string[];
  readonly keyValues: Map<string, string>;
  readonly tenants: Map<string, FakeTenant>;
  /** Names of the requested operations, in order. */
  operations(): string[];
  /** Paths of the accepted invalidations, with their references. */
  invalidations(): { paths: string[]; reference: string }[];
  /**
   * Makes the next requests of an operation fail with an error of its model. `lost`: the operation is done, and only
   * its response fails.
   */
  fail(operation: string, code: string, times?: number, options?: { lost?: boolean }): void;
  /** Changes the KeyValueStore as another client would. */
  interfere(key: string, value: string): void;
  close(): Promise<void>;
}

interface ClientOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requestHandler: { readonly httpAgent: Agent };
}

/** Routes of the operations that Platen uses, as in the models. */
const routes: Readonly<Record<string, readonly [method: string, path: string]>> = {
  CreateInvalidation: ['POST', '/2020-05-31/distribution/{DistributionId}/invalidation'],
  CreateDistributionTenant: ['POST', '/2020-05-31/distribution-tenant'],
  GetDistributionTenantByDomain: ['GET', '/2020-05-31/distribution-tenant'],
  UpdateDistributionTenant: ['PUT', '/2020-05-31/distribution-tenant/{Id}'],
  DeleteDistributionTenant: ['DELETE', '/2020-05-31/distribution-tenant/{Id}'],
  ListDistributionTenants: ['POST', '/2020-05-31/distribution-tenants'],
  VerifyDnsConfiguration: ['POST', '/2020-05-31/verify-dns-configuration'],
  GetManagedCertificateDetails: ['GET', '/2020-05-31/managed-certificate/{Identifier}'],
  DescribeKeyValueStore: ['GET', '/key-value-stores/{KvsARN}'],
  GetKey: ['GET', '/key-value-stores/{KvsARN}/keys/{Key}'],
  ListKeys: ['GET', '/key-value-stores/{KvsARN}/keys'],
  UpdateKeys: ['POST', '/key-value-stores/{KvsARN}/keys'],
};

/** Error statuses, for runs without the models. */
const statuses: Readonly<Record<string, number>> = {
  ...{ TooManyInvalidationsInProgress: 400, AccessDenied: 403, NoSuchDistribution: 404, Throttling: 429 },
  ...{ EntityNotFound: 404, EntityAlreadyExists: 409, CNAMEAlreadyExists: 409, EntityLimitExceeded: 400 },
  ...{ PreconditionFailed: 412, ResourceNotDisabled: 409, InvalidIfMatchVersion: 400, InvalidArgument: 400 },
  ...{ ConflictException: 409, ResourceNotFoundException: 404, AccessDeniedException: 403 },
  ...{ ServiceQuotaExceededException: 402, InternalServerException: 500, ValidationException: 400 },
};

export async function startAwsEndpoint(): Promise<AwsEndpoint> {
  const cloudfront = awsModel('botocore-cloudfront-2020-05-31.json');
  const store = awsModel('botocore-cloudfront-keyvaluestore-2022-07-26.json');
  const requests: RecordedRequest[] = [];
  const problems: string[] = [];
  const keyValues = new Map<string, string>();
  const tenants = new Map<string, FakeTenant>();
  const taken = new Map<string, string[]>();
  const failures: { operation: string; code: string; lost: boolean }[] = [];
  const distributionId = 'EDFDVBD6EXAMPLE';
  const keyValueStoreArn = `arn:aws:cloudfront::${ACCOUNT}:key-value-store/8562g61f-caba-2845-9d99-b97diwae5d3c`;
  let version = 1;

  const etag = () => `ETVPDKIKX0DER${version}`;

  const handlers: Handlers = {
    CreateInvalidation({ body }, labels) {
      if (labels.get('DistributionId') !== distributionId) throw new AwsFailure('NoSuchDistribution');
      const reference = textOf(body, 'CallerReference');
      const paths = childrenOf(find(body, 'Items')).map(({ text }) => text);
      if (Number(textOf(body, 'Quantity')) !== paths.length) throw new AwsFailure('InconsistentQuantities');
      taken.set(reference, paths);
      const xml = `<Id>I1</Id><Status>InProgress</Status><CreateTime>2026-11-21T00:00:00Z</CreateTime><InvalidationBatch><Paths><Quantity>0</Quantity></Paths><CallerReference>${reference}</CallerReference></InvalidationBatch>`;
      return { status: 201, body: `<Invalidation xmlns="${NAMESPACE}">${xml}</Invalidation>` };
    },
    ...tenantHandlers(tenants, distributionId),
    DescribeKeyValueStore: (_, labels) => {
      if (labels.get('KvsARN') !== keyValueStoreArn) throw new AwsFailure('ResourceNotFoundException');
      return {
        status: 200,
        etag: etag(),
        body: JSON.stringify({ ...sizes(), KvsARN: keyValueStoreArn, Created: 0 }),
      };
    },
    GetKey(_, labels) {
      const Key = labels.get('Key') ?? '';
      const Value = keyValues.get(Key);
      if (Value === undefined) throw new AwsFailure('ResourceNotFoundException');
      return { status: 200, body: JSON.stringify({ Key, Value, ...sizes() }) };
    },
    ListKeys({ query }) {
      const all = [...keyValues].sort(([one], [other]) => (one < other ? -1 : 1));
      const size = Math.min(Number(query.get('MaxResults') ?? 10), 50);
      const after = query.get('NextToken');
      const rest = all.filter(([key]) => after === null || key > after);
      const Items = rest.slice(0, size).map(([Key, Value]) => ({ Key, Value }));
      const NextToken = rest.length > size ? Items.at(-1)?.Key : undefined;
      return { status: 200, body: JSON.stringify({ Items, NextToken }) };
    },
    UpdateKeys({ body, headers }) {
      if (headers['if-match'] !== etag()) throw new AwsFailure('ConflictException');
      const deletes = childrenOf(find(body, 'Deletes')).map((item) => textOf(item, 'Key'));
      const puts = childrenOf(find(body, 'Puts')).map(
        (item) => [textOf(item, 'Key'), textOf(item, 'Value')] as const,
      );
      if (deletes.length + puts.length > 50) throw new AwsFailure('ValidationException');
      if (deletes.some((key) => !keyValues.has(key))) throw new AwsFailure('ResourceNotFoundException');
      if (puts.some(([key, value]) => Buffer.byteLength(key) > 512 || Buffer.byteLength(value) > 1024)) {
        throw new AwsFailure('ValidationException');
      }
      for (const key of deletes) keyValues.delete(key);
      for (const [key, value] of puts) keyValues.set(key, value);
      version += 1;
      return { status: 200, etag: etag(), body: JSON.stringify(sizes()) };
    },
  };
  const sizes = () => ({ ItemCount: keyValues.size, TotalSizeInBytes: 0 });

  function reply(
    request: AwsRequest,
    authorization: string,
  ): { operation: string; reply: Reply; model: AwsModel | null } {
    const isStore = request.path.startsWith('/key-value-stores/');
    const model = isStore ? store : cloudfront;
    for (const [operation, [method, path]] of Object.entries(routes)) {
      const labels = method === request.method ? labelsOf(path, request.path) : null;
      if (!labels) continue;
      requests.push({ operation, labels, body: request.body, authorization });
      if (model) problems.push(...problemsOf(model, operation, request));
      const at = failures.findIndex((failure) => failure.operation === operation);
      const [failure] = at < 0 ? [] : failures.splice(at, 1);
      const handle = () => {
        if (failure && !failure.lost) throw new AwsFailure(failure.code);
        const done = handlers[operation]?.(request, labels) ?? { status: 500 };
        if (failure) throw new AwsFailure(failure.code);
        return done;
      };
      try {
        return { operation, reply: handle(), model };
      } catch (error) {
        if (!(error instanceof AwsFailure)) throw error;
        if (model && !isErrorOf(model, operation, error.code))
          problems.push(`${operation} never fails with ${error.code}`);
        const status = model?.shapes[error.code]?.error?.httpStatusCode ?? statuses[error.code] ?? 500;
        return { operation, reply: { status, body: failureBody(isStore, error) }, model };
      }
    }
    problems.push(`nobody was to ask for ${request.method} ${request.path}`);
    return { operation: 'none', reply: { status: 404 }, model };
  }

  const server = createServer((req, res) => {
    readRequest(req)
      .then((request) => {
        const { reply: made } = reply(request, req.headers.authorization ?? '');
        const code = /^\{"__type":"(\w+)"/.exec(made.body ?? '')?.[1];
        if (made.etag !== undefined) res.setHeader('ETag', made.etag);
        if (code !== undefined) res.setHeader('x-amzn-ErrorType', code);
        res.setHeader('Content-Type', made.body?.startsWith('{') ? 'application/json' : 'text/xml');
        res.writeHead(made.status).end(made.body);
      })
      .catch((error: unknown) => {
        problems.push(String(error));
        res.writeHead(500).end();
      });
  });
  const port = await listen(server, 0);
  // A KeyValueStore is at a host name of its account.
  const httpAgent = new Agent({
    lookup: (_name, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });
  return {
    distributionId,
    keyValueStoreArn,
    client: {
      endpoint: `http://aws.test:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      requestHandler: { httpAgent },
    },
    requests,
    problems,
    keyValues,
    tenants,
    operations: () => requests.map(({ operation }) => operation),
    invalidations: () => [...taken].map(([reference, paths]) => ({ reference, paths })),
    fail(operation, code, times = 1, { lost = false } = {}) {
      for (let n = 0; n < times; n += 1) failures.push({ operation, code, lost });
    },
    interfere(key, value) {
      keyValues.set(key, value);
      version += 1;
    },
    async close() {
      httpAgent.destroy();
      await closeServer(server);
    },
  };
}

/** Errors that every operation has besides its own. */
const isErrorOf = (model: AwsModel, operation: string, code: string): boolean =>
  code === 'Throttling' ||
  (model.operations[operation]?.errors?.some(({ shape }) => shape === code) ?? false);
