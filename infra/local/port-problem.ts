import { createServer } from "node:http";
import { listenOnLoopback } from "./loopback-server.ts";

/** @returns one sentence for a person, or undefined when the port is free. */
export async function findPortProblem(port: number): Promise<string | undefined> {
  try {
    const { stop } = await listenOnLoopback(createServer(), port);
    await stop();
    return undefined;
  } catch (error) {
    return portProblem(error as NodeJS.ErrnoException, port);
  }
}

export function portProblem({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === "EADDRINUSE") {
    return `port ${port} is in use: stop what listens there, or choose another with --port`;
  }
  if (code === "EACCES") {
    return `port ${port} may not be opened by this user: choose one above 1023 with --port`;
  }
  return `port ${port} cannot be opened (${code ?? message})`;
}
