/** The files that are made from a blog's icon, apart from its favicon.ico: squares as PNG, beside the image. */

/** Widths in pixels: in the page's header, on an Apple home screen, and for the web app manifest. */
export const iconWidths = [96, 180, 192, 512] as const;
export type IconWidth = (typeof iconWidths)[number];

/** Path or address of the file of this width, from that of the image. */
export const iconFile = (image: string, width: IconWidth): string => image.replace(/\.\w+$/, `-${width}.png`);
