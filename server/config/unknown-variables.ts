import { nearestName } from '../../generator/nearest-name.ts';
import { shownName } from '../../generator/shown-name.ts';

const PREFIX = 'PLATEN_';

/** Read by tests and tools, which may start a server in their environment. */
const toolVariables = ['PLATEN_API_URL', 'PLATEN_CHROMIUM', 'PLATEN_CORPUS', 'PLATEN_PROPERTY_RUNS'];

/** Most variables that are named. */
const MAX_NAMED = 20;

/**
 * A warning for each variable that begins with `PLATEN_` and is not one of `known`, with the one that was probably
 * meant. What Kubernetes and Docker set for a service of the name "platen" counts as theirs.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !toolVariables.includes(name))
    .filter((name) => !isOfOrchestrator(name, env[name] ?? ''))
    .slice(0, MAX_NAMED)
    .map((name) => {
      const near = nearestVariable(name, known);
      return `${shownName(name)} is not a setting: ${near === null ? 'nothing reads it' : `did you mean ${near}?`}`;
    });
}

/** Without the prefix, which would make any two names near. */
function nearestVariable(name: string, known: readonly string[]): string | null {
  const shortOf = (long: string) => (long.startsWith(PREFIX) ? long.slice(PREFIX.length) : long);
  const near = nearestName(shortOf(name), known.map(shortOf));
  return known.find((each) => shortOf(each) === near) ?? null;
}

/** `PLATEN_SERVICE_HOST`, `PLATEN_PORT=tcp://10.0.0.1:8080`, `PLATEN_PORT_8080_TCP_ADDR` and the like. */
const isOfOrchestrator = (name: string, value: string): boolean =>
  /^PLATEN_(?:SERVICE_(?:HOST|PORT)|PORT_\d|ENV_)/.test(name) || /^(?:tcp|udp):\/\//.test(value);
