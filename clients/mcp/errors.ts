import { PlatenError } from '../sdk/index.ts';

/** What an agent can do about an error, by its code. The message of the API says what is wrong. */
const advice: Readonly<Partial<Record<PlatenError['code'], string>>> = {
  unauthorized:
    'Ask the user for a valid API key: PLATEN_API_KEY over stdio, Authorization: Bearer over HTTP.',
  forbidden: 'Do not repeat the call: another key or plan is needed. Tell the user.',
  not_found: 'list_posts and list_blogs show what there is. A post of another blog needs the argument blog.',
  conflict: 'Choose another slug, or change the one that is in the way.',
  precondition_failed: 'Someone changed it meanwhile: read it again with get_post, then repeat the change.',
  connection_failed: 'Ask the user whether the server runs, and whether PLATEN_API_URL is its address.',
  timeout: 'It may have been carried out: look before you repeat it.',
  unexpected_answer: 'Ask the user whether PLATEN_API_URL is the address of a Platen server.',
  service_unavailable: 'Try again in a minute.',
  internal_error: 'Try again in a minute, and tell the user if it fails again.',
};

/** An error as text for an agent: what happened, each wrong argument, what to do next, and where to read on. */
export function errorText(error: unknown): string {
  if (!(error instanceof PlatenError)) return error instanceof Error ? error.message : String(error);
  const { code, message, errors, retryAfter, upgradeUrl, docs } = error;
  const others = errors.filter((wrong) => !message.includes(wrong.message));
  return [
    `${code}: ${message}`,
    ...others.map(({ field, message: wrong }) => `- ${field === undefined ? '' : `${field}: `}${wrong}`),
    ...(retryAfter === undefined ? [] : [`Wait ${retryAfter} seconds before the next call.`]),
    ...(advice[code] === undefined ? [] : [advice[code]]),
    ...(upgradeUrl === undefined ? [] : [`Plans: ${upgradeUrl}`]),
    ...(docs === undefined ? [] : [`More: ${docs}`]),
  ].join('\n');
}
