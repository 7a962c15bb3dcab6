import { createWriteStream } from "node:fs";

export type LogLine = {
  readonly function?: string;
  readonly worker?: string;
  readonly stream: "stdout" | "stderr" | "platform" | "access" | "desktop";
  readonly line: unknown;
};

export type LogWriter = { readonly write: (line: LogLine) => void; readonly close: () => Promise<void> };

function parsed(line: unknown): unknown {
  if (typeof line !== "string" || !line.startsWith("{")) return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** @param onOutput is given what functions write to standard output, parsed. */
export function createLogWriter(
  file: string,
  echo: ((text: string) => void) | undefined,
  onOutput?: (line: unknown) => void,
): LogWriter {
  const stream = createWriteStream(file, { flags: "w", mode: 0o600 });
  // A full disk must not end the stack.
  stream.on("error", (error) => echo?.(`the log ${file} cannot be written: ${error.message}`));
  return {
    write: ({ function: name = "", worker = "", stream: source, line }) => {
      const content = parsed(line);
      if (source === "stdout") onOutput?.(content);
      const at = new Date().toISOString();
      const text = JSON.stringify({ at, function: name, worker, stream: source, line: content });
      stream.write(`${text}\n`);
      echo?.(text);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
