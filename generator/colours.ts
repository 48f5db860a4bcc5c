/** The text colour to use on a background (`#rrggbb`): black on bright ones, else white. Uses WCAG 2 luminance. */
export function textColourOn(colour: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.35 ? '#000' : '#fff';
}

/** The theme's colours in light mode (templates/styles/page.css), for files that have no style sheet. */
export const PAPER = '#fdfcf9';
const RUBRIC = '#ad2f1b';

/** The accent colour of a blog, whose owner may have chosen none. */
export const accentOf = ({ accentColor }: { readonly accentColor: string | null }): string =>
  accentColor ?? RUBRIC;
