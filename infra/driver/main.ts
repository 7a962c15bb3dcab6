import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createDriver, type DriverEnd } from "./create-driver.ts";
import type { Desktop } from "./desktop.ts";
import { createForwardDesktop } from "./desktops/forward-desktop.ts";
import { createLocalDesktop } from "./desktops/local-desktop.ts";
import { type DriverArguments, parseDriverArguments, UsageError, usage } from "./driver-arguments.ts";
import { createJsonLog, type DriverLog } from "./driver-log.ts";
import { readFingerprint, stateFolder } from "./fingerprint-file.ts";
import { readPrivateFile } from "./private-file.ts";
import { SimulatedScreen } from "./screens/simulated-screen.ts";
import { DisplayUnavailable } from "./screens/x11/display-connection.ts";
import { X11Screen } from "./screens/x11-screen.ts";

/** For the last bytes of the closing handshake. */
const lastWordsMs = 200;

const ends: Readonly<Record<DriverEnd, { readonly exitCode: number; readonly sentence: string }>> = {
  stopped: { exitCode: 0, sentence: "stopped" },
  shutdown: { exitCode: 0, sentence: "shut down by request" },
  revoked: { exitCode: 3, sentence: "the key was revoked" },
  deleted: { exitCode: 3, sentence: "the machine was deleted" },
  rate_limited: { exitCode: 3, sentence: "the service wants no further connection of this machine" },
  superseded: { exitCode: 4, sentence: "another driver with this fingerprint has connected" },
  ticket_used: { exitCode: 5, sentence: "the ticket was good for one connection, or has expired" },
};

async function authorizationOf(credential: DriverArguments["credential"]): Promise<string> {
  if (credential.kind === "ticket") return `Ticket ${credential.ticket}`;
  if (credential.kind === "key") return `Bearer ${credential.key}`;
  const key = await readPrivateFile(credential.file, "key file").catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`the key file ${credential.file} cannot be read`);
  });
  if (key === "") throw new UsageError(`the key file ${credential.file} is empty`);
  return `Bearer ${key}`;
}

async function openX11Screen(display: string | undefined, log: DriverLog): Promise<X11Screen> {
  if (display === undefined || display === "") {
    throw new UsageError("there is no X display: set DISPLAY, pass --display, or use --simulated");
  }
  try {
    return await X11Screen.open({ display, log });
  } catch (error) {
    throw error instanceof DisplayUnavailable ? new UsageError(error.message) : error;
  }
}

/** A folder of its own, so that files which start programs, and those that hold secrets, are elsewhere. */
async function makeDefaultRoot(): Promise<string> {
  const folder = join(homedir(), "desktop-automation");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function desktopOf(
  given: DriverArguments,
  ownFiles: readonly string[],
  log: DriverLog,
): Promise<Desktop> {
  const { desktop, allowShell } = given;
  if (desktop.kind === "forward") return createForwardDesktop(desktop.url);
  const folder = given.root === undefined ? await makeDefaultRoot() : resolve(given.root);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`--root ${folder} is no folder`);
  const screen =
    desktop.kind === "simulated" ? new SimulatedScreen() : await openX11Screen(desktop.display, log);
  return createLocalDesktop({ screen, root: folder, ownFiles, allowShell });
}

async function run(): Promise<number> {
  const given = parseDriverArguments(process.argv.slice(2), process.env);
  if (given === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  // What the driver starts, a shell above all, does not inherit the credential.
  delete process.env.DRIVER_KEY;
  delete process.env.DRIVER_TICKET;

  const log = createJsonLog((line) => process.stderr.write(line), Date.now);
  const state = stateFolder(process.env);
  const fingerprintFile = given.fingerprintFile ?? join(state, "fingerprint");
  const { credential } = given;
  const ownFiles = [state, fingerprintFile, ...(credential.kind === "key_file" ? [credential.file] : [])];
  const desktop = await desktopOf(given, ownFiles, log);
  const driver = createDriver({
    url: given.url,
    authorization: await authorizationOf(credential),
    fingerprint: await readFingerprint(fingerprintFile),
    desktop,
    log,
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.remotePeerId === undefined ? {} : { remotePeerId: given.remotePeerId }),
    ...(given.keepaliveFor === undefined ? {} : { keepaliveFor: given.keepaliveFor }),
  });

  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // A second signal does not wait.
      if (isStopping) process.exit(130);
      isStopping = true;
      void driver.stop();
    });
  }
  log("info", "driver started", { pid: process.pid, desktop: desktop.osInfo });
  driver.start();
  const { exitCode, sentence } = ends[await driver.finished];
  log(exitCode === 0 ? "info" : "error", `driver ended: ${sentence}`, { exit_code: exitCode });
  return exitCode;
}

try {
  const exitCode = await run();
  setTimeout(() => process.exit(exitCode), lastWordsMs);
} catch (error) {
  process.stderr.write(`driver: ${error instanceof Error ? error.message : "failed"}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
