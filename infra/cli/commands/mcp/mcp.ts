import type { Command } from "../../program/command.ts";
import { Bridge } from "./bridge.ts";

export const mcpCommand: Command = {
  noun: "",
  verb: "mcp",
  summary: "Brings desktops and workflows into an assistant that starts programs",
  description:
    "Speaks the Model Context Protocol over standard input and output, by the service's POST /mcp and with its tools.",
  examples: ["das mcp"],
  operations: ["callMcp"],
  run: async (context) => {
    const { url, apiKey } = await context.connect();
    const { terminal, fetch, signal } = context;
    const bridge = new Bridge({
      url,
      apiKey,
      fetch,
      signal,
      write: (message) => terminal.out(`${JSON.stringify(message)}\n`),
      every: (ms, work) => {
        const timer = setInterval(work, ms);
        return () => clearInterval(timer);
      },
    });
    const underWay = new Set<Promise<void>>();
    for await (const line of terminal.lines(signal)) {
      if (line.trim() === "") continue;
      const taken = bridge.take(line);
      underWay.add(taken);
      void taken.then(() => underWay.delete(taken));
    }
    await Promise.all(underWay);
    return undefined;
  },
};
