import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { findShellUser } from "../../../infra/driver/shell-user.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";

const willing = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/asked"
shift 4
exec "$@"`;

describe("the shell of another user, by sudo", () => {
  let folder: string;

  async function sudo(script: string): Promise<void> {
    await writeFile(join(folder, "sudo"), script);
    await chmod(join(folder, "sudo"), 0o700);
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    vi.spyOn(process, "getuid").mockReturnValue(54_321);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "driver-sudo-"));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });

  it("is not promised where sudo asks for a password", async () => {
    await sudo("#!/bin/sh\nexit 1");
    await expect(findShellUser("nobody")).rejects.toThrow("sudo -n does not let it");
    await expect(findShellUser("root")).rejects.toThrow("may read whatever");
  });

  it("runs a command, and ends it and what it started when its time is over", async () => {
    await sudo(willing);
    vi.stubEnv("DRIVER_SECRET", "not for others");
    const shellUser = await findShellUser("nobody");
    const screen = new SimulatedScreen();
    const desktop = createLocalDesktop({ screen, root: folder, allowShell: true, shellUser });
    const exec = async (command: string, timeout: number) =>
      jsonOf(await askDesktop(desktop, "POST", "shell/exec", { body: { command, timeout } }));
    expect(await exec("echo \"$USER$DRIVER_SECRET 'a'\"; pwd; cat; exit 3", 5)).toEqual({
      stdout: `nobody 'a'\n${folder}\n`,
      stderr: "",
      exit_code: 3,
      timeout_reached: false,
    });
    expect(await readFile(join(folder, "asked"), "utf8")).toMatch(/^-n -u nobody -- \/bin\/sh -c /);
    const cut = (await exec("sleep 61 & echo $!; sleep 62", 0.3)) as { stdout: string };
    expect(cut).toMatchObject({ exit_code: 137, timeout_reached: true });
    const stateOf = async () =>
      await readFile(`/proc/${Number(cut.stdout)}/stat`, "utf8").catch(() => "gone");
    // A killed process is there until it is scheduled once more.
    await expect.poll(stateOf).toMatch(/gone|\) Z /);
  });
});
