// CloudFront's fallback origin for missing objects (AWS Lambda, Node.js): returns the blog's own 404 page with the blog's
// headers. Needed because CloudFront runs no viewer-response function for error responses.

const { GetObjectCommand, S3Client } = require('@aws-sdk/client-s3');

const s3 = new S3Client();

const PLAIN =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>There is no blog here</h1></html>\n';

exports.handler = async (event) => {
  const folder = /^\/(sites\/[a-z0-9-]+\/)/.exec(event.rawPath)?.[1];
  const [page, rules] = folder
    ? await Promise.all([read(`${folder}404.html`), read(`${folder}_headers`)])
    : [];
  const headers = {
    ...headersIn(rules ?? ''),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=0, must-revalidate',
  };
  return { statusCode: 404, headers, body: page ?? PLAIN };
};

async function read(Key) {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: process.env.BUCKET, Key }));
    return await Body.transformToString();
  } catch (error) {
    if (error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** The headers for all paths: the first section. */
function headersIn(rules) {
  const [section = ''] = rules.split('\n\n');
  const lines = section.split('\n').filter((line) => /^\s+[^!]/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
