import sharp from 'sharp';

// All other decoders (SVG, PDF, TIFF, AVIF ...) are blocked, whatever the bytes look like.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

/** sharp for untrusted images: only the decoders of the upload types, one thread. */
export { sharp };
