import sharp from 'sharp';

// Other decoders (SVG, PDF, TIFF, AVIF ...) are not to be reached, whatever the bytes look like.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

/** The image library as processes with strangers' images use it: the decoders of what may be uploaded, one thread. */
export { sharp };
