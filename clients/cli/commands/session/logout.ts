import { printJson } from '../../answers/answers.ts';
import { command } from '../../command-line/command.ts';
import { toggle } from '../../command-line/flags.ts';
import type { Profiles } from '../../profiles/profile-store.ts';
import { profileNamed } from '../../profiles/sign-in.ts';

export const logout = command({
  about: 'The key itself stays valid: platen tokens revoke revokes it.',
  flags: { all: toggle('forget every profile') },
  examples: ['logout', 'logout --profile work', 'logout --all'],
  async run(context, _args, { all }) {
    const { common, profiles, terminal, environment } = context;
    const settings = await profiles.load();
    const named = common.profile ?? settings.current;
    if (common.profile !== undefined) profileNamed(common.profile, settings);
    const names = all ? Object.keys(settings.profiles) : named === null ? [] : [named];
    if (names.length > 0) await profiles.save(without(settings, names));
    if (common.json) return printJson(context, { forgotten: names });
    terminal.print(
      names.length === 0
        ? 'You were not signed in.\n'
        : `Forgot ${names.join(', ')}. The key itself stays valid.\n`,
    );
    if (environment.PLATEN_API_KEY) terminal.tell('PLATEN_API_KEY is set, and is used.\n');
  },
});

/** What is left of the settings without some profiles. */
function without({ current, profiles }: Profiles, names: readonly string[]): Profiles {
  const kept = Object.entries(profiles).filter(([name]) => !names.includes(name));
  const stays = current !== null && !names.includes(current);
  return { current: stays ? current : (kept[0]?.[0] ?? null), profiles: Object.fromEntries(kept) };
}
