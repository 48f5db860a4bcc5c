import express from 'express';

/** Child process with a minimal Express server, as a baseline. It sends its port to the parent. */
const app = express();
app.get('/', (_req, res) => {
  res.json({ hello: 'world' });
});
const server = app.listen(0, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
