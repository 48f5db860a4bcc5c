import type { RequestHandler } from 'express';
import { DomainError } from '../runtime/errors.ts';

/** An operation, by its method and its path in Express syntax. */
interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Answers 405 for the other methods of a path, with the operation that was probably meant, and `OPTIONS` itself. */
export function methodNotAllowed(path: string, all: readonly Operation[]): RequestHandler {
  const methods = all.filter((one) => one.path === path).map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    res.set('Allow', allow);
    if (req.method === 'OPTIONS') return void res.status(204).end();
    const meant = meantOperation(path, req.path, req.method, all);
    const hint = meant === null ? '' : `: ${meant}`;
    const message = `${req.method} is not allowed here: use ${allow}${hint}`;
    throw new DomainError('method_not_allowed', message);
  };
}

/** The method on one of a collection (`PUT /blogs`), or on what is done to all of it (`POST /posts/batch`). */
function meantOperation(
  path: string,
  sent: string,
  method: string,
  all: readonly Operation[],
): string | null {
  const ofMethod = all.filter((one) => one.method.toUpperCase() === method).map((one) => one.path);
  const ofAll = ofMethod.find(
    (one) => one.includes('\\:') && one.replace('\\:', '/') === sent.replace(/\/$/, ''),
  );
  if (ofAll !== undefined) {
    const written = ofAll.replace('\\:', ':');
    return `the ${written.split(':')[1]} is ${method} /v1${written}`;
  }
  const one = ofMethod.find(
    (other) => other.startsWith(`${path}/:`) && !other.slice(path.length + 2).includes('/'),
  );
  return one === undefined ? null : `name one, ${method} /v1${one.replace(/:(\w+)$/, '{$1}')}`;
}
