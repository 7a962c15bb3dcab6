import type { ReadStream, WriteStream } from "node:tty";

export interface TerminalQuestion {
  /** Control sequences that terminals respond to on standard input. */
  readonly text: string;
  readonly isWhole: (response: string) => boolean;
  /** Terminals respond within some milliseconds, and over a slow line within some tenths of a second. */
  readonly timeoutMs: number;
}

type Input = Pick<ReadStream, "setRawMode" | "on" | "off" | "resume" | "pause" | "setEncoding">;

/** Returns what came until the time was over; a terminal that does not know the question says nothing. */
export async function askTerminal(
  { text, isWhole, timeoutMs }: TerminalQuestion,
  input: Input,
  output: Pick<WriteStream, "write">,
): Promise<string> {
  input.setRawMode(true);
  input.setEncoding("utf8");
  try {
    return await new Promise<string>((resolve) => {
      let response = "";
      const end = () => {
        clearTimeout(timer);
        input.off("data", onData);
        resolve(response);
      };
      const timer = setTimeout(end, timeoutMs);
      const onData = (part: string) => {
        response += part;
        if (isWhole(response)) end();
      };
      input.on("data", onData);
      input.resume();
      output.write(text);
    });
  } finally {
    input.pause();
    input.setRawMode(false);
  }
}
