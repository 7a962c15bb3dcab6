import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Profile } from "./profiles.ts";
import { isLoopback } from "./service-url.ts";

/** The stack that `npm start` describes, in this folder or one above; a file that names another host is none. */
export async function findLocalStack(folder: string): Promise<Profile | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const stack = await readStack(join(at, ".local", "stack.json"));
    if (stack !== undefined || at === dirname(at)) return stack;
  }
}

async function readStack(file: string): Promise<Profile | undefined> {
  try {
    const { base_url: url, api_key } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    if (typeof url !== "string" || typeof api_key !== "string" || !URL.canParse(url)) return undefined;
    return isLoopback(new URL(url)) ? { url, api_key } : undefined;
  } catch {
    // No stack is running here, or its file is being written.
    return undefined;
  }
}
