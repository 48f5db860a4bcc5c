import type { DomainError, ErrorCode } from '../runtime/errors.ts';
import { type GuideTopic, guideSections } from '../runtime/guide-sections.ts';

/** The topic of errors that name none themselves. */
const topicByCode: Readonly<Partial<Record<ErrorCode, GuideTopic>>> = {
  unauthorized: 'credentials',
  method_not_allowed: 'requests',
  precondition_failed: 'versions',
  unsupported_media_type: 'bodies',
  rate_limit_exceeded: 'rateLimits',
};

/** The topic of an invalid field. A message begins with the path of its field. */
const topicByField: readonly (readonly [start: RegExp, topic: GuideTopic])[] = [
  [/^.* is not a (?:field|query parameter) of /, 'mistakes'],
  [/^content: is missing/, 'posts'],
  [/^(?:published_at|scheduled_at): /, 'posts'],
  [/^series\b/, 'posts'],
  [/^settings\.front_page\b/, 'pages'],
  [/^content: /, 'content'],
  [/^(?:theme_config\.)?layout: /, 'layouts'],
  [/^hostname: /, 'domains'],
  [/^(?:slug|previous_slugs\b.*?): /, 'slugs'],
  [/^translations\b/, 'translations'],
  [/^(?:data|file|content_type|settings\.icon): /, 'images'],
  [/^Prefer: /, 'waiting'],
  [/^Idempotency-Key: /, 'idempotency'],
  [/^X-Blog-Id: /, 'blogs'],
  [/^the body /, 'bodies'],
];

/** Absolute address of the section of the guides that explains an error; undefined if none does. */
export function guideUrlOf({ code, message, extras }: DomainError, publicUrl: string): string | undefined {
  const byField = code === 'bad_request' ? topicByField.find(([start]) => start.test(message)) : undefined;
  const topic =
    extras.guide ?? byField?.[1] ?? (extras.upgradeUrl === undefined ? topicByCode[code] : 'plans');
  return topic && `${publicUrl}/docs/${guideSections[topic]}`;
}
