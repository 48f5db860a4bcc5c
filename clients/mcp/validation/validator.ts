import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { countOf } from './bounded.ts';

/** Far more than any tool's arguments have, and any object of the API. */
const MAX_FIELDS = 200;
const MAX_ISSUES = 10;
const MAX_MESSAGE = 300;
/** For each name on the way to what is wrong. */
const MAX_NAME = 60;

type Standard = StandardSchemaWithJSON['~standard'];
type Validate = Standard['validate'];
type Issue = NonNullable<Awaited<ReturnType<Validate>>['issues']>[number];

/** Validates as the schema does, with a bounded answer: the SDK joins all issues into one text, names as they were sent. */
export const validatorOf =
  ({ validate }: Pick<Standard, 'validate'>): Validate =>
  async (value, options) => {
    if (countOf(value) > MAX_FIELDS) return { issues: [{ message: `more than ${MAX_FIELDS} fields` }] };
    const result = await validate(value, options);
    return result.issues ? { issues: few(result.issues) } : result;
  };

function few(issues: readonly Issue[]): Issue[] {
  const more = issues.length - MAX_ISSUES;
  return [...issues.slice(0, MAX_ISSUES).map(short), ...(more > 0 ? [{ message: `and ${more} more` }] : [])];
}

const short = ({ message, path = [] }: Issue): Issue => ({
  message: shortened(message, MAX_MESSAGE),
  path: path.map((part) => shortened(String(typeof part === 'object' ? part.key : part), MAX_NAME)),
});

const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
