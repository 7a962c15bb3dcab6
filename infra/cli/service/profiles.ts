import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../program/failures.ts";

export interface Profile {
  readonly url: string;
  readonly api_key: string;
}

export interface Profiles {
  /** The profile that commands use when none is named. */
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const none: Profiles = { current: undefined, profiles: {} };

/** Source: https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path is to be ignored). */
export function profilesFile({ XDG_CONFIG_HOME: folder = "" }: Environment): string {
  return join(folder.startsWith("/") ? folder : join(homedir(), ".config"), "das", "profiles.json");
}

/** @throws {UsageError} if others may read the file, or if it is not what `writeProfiles` wrote. */
export async function readProfiles(file: string): Promise<Profiles> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new UsageError(`${file} holds keys and others may read it: "chmod 600" it first`);
    }
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return none;
    throw error;
  }
  const read = parsed(text);
  if (read === undefined) throw new UsageError(`${file} cannot be read: remove it and log in again`);
  return read;
}

/** The file is replaced as a whole, so that a crash leaves the old one. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

function parsed(text: string): Profiles | undefined {
  let json: Partial<Profiles> | null;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const profiles = Object.entries(json?.profiles ?? {});
  const isSound = profiles.every(
    ([, profile]) => typeof profile?.url === "string" && typeof profile.api_key === "string",
  );
  return isSound ? { current: json?.current, profiles: Object.fromEntries(profiles) } : undefined;
}
