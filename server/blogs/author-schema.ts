import { z } from 'zod';
import type { Author } from '../../generator/site/author.ts';
import { NAMES_A_USER, namesUser } from '../addresses/web-address.ts';
import { filledLine, line, MAX_URL } from '../wire/text.ts';

/** Our own limits: the interface names no author. */
const MAX_AUTHOR = 100;
const addressWith = (protocol: RegExp, error: string) =>
  line(MAX_URL).pipe(z.url({ protocol, error }).refine((text) => !namesUser(text), NAMES_A_USER));

/** Where a name or a link of the navigation leads. */
export const linkAddress = addressWith(/^(?:https?|mailto)$/, 'must be an http, https or mailto address');

/** The address of a page or a picture. */
export const webAddress = addressWith(/^https?$/, 'must be an http or https address');

/** Who writes: of a post, or of all posts of a blog that name nobody. */
export const author = z.object({
  name: filledLine(MAX_AUTHOR).meta({ example: 'Ada Byron' }),
  url: linkAddress.nullish().meta({ example: 'https://ada.example/' }),
  image: webAddress
    .nullish()
    .describe('A picture, square at best.')
    .meta({ format: 'uri', example: 'https://ada.example/ada.jpg' }),
});

export const authorResponse = z
  .object({ name: z.string(), url: z.string().nullable(), image: z.string().nullable() })
  .nullable()
  .meta({ example: { name: 'Ada Byron', url: 'https://ada.example/', image: null } });

export const parseAuthor = <None extends null | undefined>(
  given: z.infer<typeof author> | None,
): Author | None => given && { name: given.name, url: given.url ?? null, image: given.image ?? null };
