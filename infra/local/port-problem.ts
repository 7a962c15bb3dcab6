import { createServer } from "node:net";

/** @returns one sentence for a person, or undefined when the port is free. */
export async function findPortProblem(port: number): Promise<string | undefined> {
  const server = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  if (code === undefined) {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return undefined;
  }
  if (code === "EADDRINUSE") {
    return `port ${port} is in use: stop what listens there, or choose another with --port`;
  }
  if (code === "EACCES")
    return `port ${port} may not be opened by this user: choose one above 1023 with --port`;
  return `port ${port} cannot be opened (${code})`;
}
