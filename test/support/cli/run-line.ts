import { tmpdir } from "node:os";
import { allCommands } from "../../../infra/cli/commands/all-commands.ts";
import { runCli } from "../../../infra/cli/program/run-cli.ts";
import { memoryTerminal } from "./memory-terminal.ts";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly form: FormData | undefined;
}

type Answer = (request: Sent) => Response | Promise<Response>;

interface LineOptions {
  readonly terminal?: Parameters<typeof memoryTerminal>[0];
  readonly folder?: string;
  readonly answer?: Answer;
  /** Gets what ctrl-C calls. */
  readonly onInterrupt?: (interrupt: (isFinal?: boolean) => void) => void;
}

/** A key that the environment names, so that no file of this machine is read. */
export const environment = { DAS_URL: "https://api.example.com", DAS_API_KEY: "das_key" };

const commands = allCommands();

/** Runs one line in this process. Each request is answered by `answer`. */
export async function runLine(line: readonly string[], options: LineOptions = {}) {
  const { answer = () => Response.json({}), folder = tmpdir() } = options;
  const terminal = memoryTerminal({ environment, ...options.terminal });
  const sent: Sent[] = [];
  const code = await runCli(
    {
      terminal,
      commands,
      pause: async () => {},
      folder,
      onInterrupt: (listener) => {
        options.onInterrupt?.((isFinal = false) => listener(isFinal));
        return () => {};
      },
      fetch: async (address, init) => {
        init?.signal?.throwIfAborted();
        const { method = "GET", headers, body } = init ?? {};
        const request = {
          method,
          url: String(address),
          headers: new Headers(headers),
          body: typeof body === "string" ? body : undefined,
          form: body instanceof FormData ? body : undefined,
        };
        sent.push(request);
        return await Promise.race([answer(request), aborted(init?.signal)]);
      },
    },
    line,
  );
  return { code, sent, shown: terminal.shown(), bytes: terminal.shownBytes(), errors: terminal.errors() };
}

/** As `fetch` does: an aborted request waits for nothing. */
async function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
