import { ForbiddenError, Platen } from '../../../sdk/index.ts';
import { showFields } from '../../answers/answers.ts';
import { command } from '../../command-line/command.ts';
import { NotSignedInError } from '../../terminal/errors.ts';

export const whoami = command({
  examples: ['whoami', 'whoami --profile work --json'],
  async run(context) {
    const { url, key, keyFrom, profile, blog } = await context.signIn();
    if (key === undefined)
      throw new NotSignedInError(`not signed in to ${url}: run platen login, or set PLATEN_API_KEY`);
    const platen = new Platen({ url, apiKey: key, maxRetries: 1 });
    const account = await platen.account.profile({ signal: context.signal }).catch((error: unknown) => {
      if (error instanceof ForbiddenError) return null;
      throw error;
    });
    const answer = {
      url,
      profile: keyFrom === 'profile' ? profile : null,
      key: keyFrom,
      blog: blog ?? null,
      account,
    };
    return showFields(context, answer, {
      server: url,
      account: account?.email ?? 'unknown: the key lacks the scope account:read',
      plan: account?.plan,
      key: keyFrom === 'profile' ? `of the profile ${profile}` : 'of PLATEN_API_KEY',
      blog,
    });
  },
});
