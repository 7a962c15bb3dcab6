import type { ReadStream } from "node:tty";

type Input = Pick<ReadStream, "on" | "off" | "resume" | "pause" | "setEncoding">;

/**
 * Reads one line as the terminal has edited it, so that ctrl-C stays a signal.
 *
 * @returns undefined when the input ends or the signal is aborted before a line does.
 */
export async function readLine(input: Input, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  input.setEncoding("utf8");
  return await new Promise((resolve) => {
    let typed = "";
    const end = (line: string | undefined) => {
      input.off("data", onData).off("end", onEnd);
      signal.removeEventListener("abort", onEnd);
      input.pause();
      resolve(line);
    };
    const onEnd = () => end(undefined);
    const onData = (text: string) => {
      typed += text;
      const at = typed.indexOf("\n");
      if (at >= 0) end(typed.slice(0, at).replace(/\r$/, ""));
    };
    input.on("data", onData).on("end", onEnd);
    signal.addEventListener("abort", onEnd);
    input.resume();
  });
}
