import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readPrivateFile } from "./private-file.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(state, "desktop-automation-driver");
}

/** @throws {Error} when the file holds something else, is open to others or cannot be made. */
export async function readFingerprint(file: string): Promise<string> {
  const fresh = randomUUID();
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${fresh}\n`, { flag: "wx", mode: 0o600 });
    return fresh;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EEXIST") throw new Error(`the fingerprint file ${file} cannot be made (${String(code)})`);
  }
  const stored = await readPrivateFile(file, "fingerprint file");
  if (!uuid.test(stored)) throw new Error(`the fingerprint file ${file} holds no UUID: correct or delete it`);
  return stored.toLowerCase();
}
