import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "./driver-arguments.ts";

const run = promisify(execFile);
/** The name is one word to every shell and no option to any program. */
const userName = /^[a-z_][a-z0-9_.-]{0,31}$/i;
/** The other user must not see the rest of the driver's environment. */
const keptVariables = ["PATH", "LANG", "LANGUAGE", "LC_ALL", "TZ", "DISPLAY"];

export interface ShellUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without root, the driver can change the user only by `sudo -n`. */
  readonly bySudo: boolean;
}

/** @throws {UsageError} with a sentence that says why commands cannot run as that user. */
export async function findShellUser(name: string): Promise<ShellUser> {
  const refused = (why: string) => new UsageError(`--shell-user ${name}: ${why}`);
  const own = process.getuid?.();
  if (own === undefined) throw refused("this system has no users to change to");
  if (!userName.test(name)) throw refused("that is no name of a user");
  const printed = async (command: string) => (await run("/bin/sh", ["-c", command])).stdout.trim();
  const ids = await printed(`id -u ${name} && id -g ${name} && echo ~${name}`).catch(() => {
    throw refused("there is no such user");
  });
  const [uid = "", gid = "", home = "/"] = ids.split("\n");
  if (Number(uid) === own) throw refused("the driver itself runs as that user");
  if (Number(uid) === 0) throw refused("that user may read whatever the driver's user may");
  const bySudo = own !== 0;
  if (bySudo) {
    await run("sudo", ["-n", "-u", name, "--", "/bin/sh", "-c", ":"]).catch(() => {
      throw refused("the driver is not root, and sudo -n does not let it run /bin/sh as that user");
    });
  }
  const kept = Object.fromEntries(keptVariables.map((key) => [key, process.env[key]]));
  const env = { ...kept, HOME: home, USER: name, LOGNAME: name };
  return { name, uid: Number(uid), gid: Number(gid), env, bySudo };
}
