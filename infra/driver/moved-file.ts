import { readFile } from "node:fs/promises";
import * as z from "zod";
import { writePrivateFile } from "./private-file.ts";
import { isAllowed } from "./tunnel/service-address.ts";

const Moved = z.object({ from: z.string(), to: z.url() });

/** Keeps where the service of `--url` has moved to, so that a driver that starts anew with that option finds it. */
export class MovedFile {
  readonly path: string;

  constructor(fingerprintFile: string) {
    this.path = `${fingerprintFile}.moved`;
  }

  get paths(): readonly string[] {
    return [this.path, `${this.path}.new`];
  }

  /** The hosts are asked for again: who takes one back from `--allow-host` has taken it back. */
  async read(url: string, allowedHosts: readonly string[]): Promise<string> {
    const text = await readFile(this.path, "utf8").catch(() => "");
    const moved = Moved.safeParse(parsed(text)).data;
    if (moved?.from !== url || !isAllowed(new URL(moved.to), allowedHosts)) return url;
    return moved.to;
  }

  async write(from: string, to: string): Promise<void> {
    await writePrivateFile(this.path, `${JSON.stringify({ from, to })}\n`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
