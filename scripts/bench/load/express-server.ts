import express from 'express';

/** The least that Express can do: a process of its own, which tells its parent the port. */
const app = express();
app.get('/', (_req, res) => {
  res.json({ hello: 'world' });
});
const server = app.listen(0, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
