import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { devNull, homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createDriver, type DriverEnd } from "./create-driver.ts";
import type { Desktop } from "./desktop.ts";
import type { FileScope } from "./desktops/file-access.ts";
import { createForwardDesktop } from "./desktops/forward-desktop.ts";
import { createLocalDesktop } from "./desktops/local-desktop.ts";
import { type DesktopChoice, type DriverArguments, UsageError } from "./driver-arguments.ts";
import { createJsonLog, type DriverLog } from "./driver-log.ts";
import { MovedFile } from "./moved-file.ts";
import { NameFile } from "./name-file.ts";
import { readPrivateFile } from "./private-file.ts";
import { readProgramNames, readPrograms } from "./programs/programs-file.ts";
import type { Screen } from "./screens/screen.ts";
import { DisplayUnavailable } from "./screens/x11/display-connection.ts";
import { X11Screen } from "./screens/x11-screen.ts";
import { SecretFiles } from "./secret-files.ts";
import { findShellUser } from "./shell-user.ts";

const ends: Readonly<Record<DriverEnd, { readonly exitCode: number; readonly sentence: string }>> = {
  stopped: { exitCode: 0, sentence: "stopped" },
  shutdown: { exitCode: 0, sentence: "shut down by request" },
  revoked: { exitCode: 3, sentence: "the key was revoked" },
  deleted: { exitCode: 3, sentence: "the machine was deleted" },
  rate_limited: { exitCode: 3, sentence: "the service wants no further connection of this machine" },
  superseded: {
    exitCode: 4,
    sentence:
      "another driver with this fingerprint has connected: each desktop of a computer needs its own (--fingerprint-file)",
  },
  unauthorized: {
    exitCode: 3,
    sentence: "the service does not accept the key: it is mistyped, revoked, or another deployment's",
  },
  forbidden: {
    exitCode: 3,
    sentence:
      "the key may not open tunnels (it needs the scope driver), the machine is bound to another key, or --url is not the service's WebSocket address",
  },
  ticket_used: { exitCode: 5, sentence: "the ticket was good for one connection, or has expired" },
};

/** Standard input is replaced, so that nobody finds the credential there afterwards. */
async function readStandardInput(): Promise<string> {
  const text = readFileSync(0, "utf8").trim();
  closeSync(0);
  openSync(devNull, "r");
  return text;
}

async function authorizationOf(credential: DriverArguments["credential"]): Promise<string> {
  if (credential.kind === "ticket") return `Ticket ${credential.ticket}`;
  if (credential.kind === "key") return `Bearer ${credential.key}`;
  const { file } = credential;
  const [scheme, what] = credential.kind === "key_file" ? ["Bearer", "key file"] : ["Ticket", "ticket file"];
  const text = await (file === "-" ? readStandardInput() : readPrivateFile(file, what)).catch(
    (error: unknown) => {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`the ${what} ${file} cannot be read`);
    },
  );
  if (text === "") throw new UsageError(`the ${what} ${file} is empty`);
  return `${scheme} ${text}`;
}

async function openX11Screen(
  { display, programsFile }: Extract<DesktopChoice, { readonly kind: "x11" }>,
  log: DriverLog,
): Promise<X11Screen> {
  const programs = programsFile === undefined ? [] : await readPrograms(programsFile, process.env);
  if (display === undefined || display === "") {
    throw new UsageError("there is no X display: set DISPLAY or pass --display");
  }
  try {
    return await X11Screen.open({ display, log, programs });
  } catch (error) {
    throw error instanceof DisplayUnavailable ? new UsageError(error.message) : error;
  }
}

/** In a separate folder, callers cannot reach files that start programs or hold secrets. */
async function makeDefaultRoot(): Promise<string> {
  const folder = join(homedir(), "desktop-automation");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function desktopOf(
  given: DriverArguments,
  ownFiles: readonly string[],
  log: DriverLog,
  openScreen: OpenScreen | undefined,
): Promise<Desktop> {
  const { desktop, allowShell, shellUser } = given;
  if (desktop.kind === "forward") {
    const { url, programsFile } = desktop;
    return createForwardDesktop(
      url,
      programsFile === undefined ? undefined : await readProgramNames(programsFile),
    );
  }
  const folder = given.root === undefined ? await makeDefaultRoot() : resolve(given.root);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`--root ${folder} is no folder`);
  const user = shellUser === undefined ? undefined : await findShellUser(shellUser);
  const files = { root: folder, own: ownFiles };
  const screen = openScreen === undefined ? await openX11Screen(desktop, log) : openScreen(files);
  if (allowShell && user === undefined) {
    log("warn", "whoever may use the shell owns the key: commands run as the driver's user (--shell-user)");
  }
  return createLocalDesktop({ screen, root: folder, ownFiles, allowShell, shellUser: user });
}

export type OpenScreen = (files: FileScope) => Screen;

/** @returns the exit code. @throws {UsageError} */
export async function runDriver(given: DriverArguments, openScreen?: OpenScreen): Promise<number> {
  const log = createJsonLog((line) => process.stderr.write(line), Date.now);
  const state = stateFolder(process.env);
  const fingerprintFile = given.fingerprintFile ?? join(state, "fingerprint");
  const { credential, desktop: choice } = given;
  const { url, allowedHosts } = given;
  const secrets = new SecretFiles({ fingerprintFile, url, allowedHosts });
  await secrets.read(url);
  const { name } = given;
  const names = new NameFile(fingerprintFile);
  await names.requireOwn(name);
  const moves = new MovedFile(fingerprintFile);
  const ownFiles = [
    state,
    fingerprintFile,
    ...secrets.paths,
    names.path,
    ...moves.paths,
    ...("file" in credential ? [credential.file] : []),
    ...("programsFile" in choice && choice.programsFile !== undefined ? [choice.programsFile] : []),
  ];
  const desktop = await desktopOf(given, ownFiles, log, openScreen);
  const driver = createDriver({
    url: await moves.read(url, allowedHosts),
    moves: { allowedHosts, keep: async (address) => await moves.write(url, address) },
    authorization: await authorizationOf(credential),
    fingerprint: await readFingerprint(fingerprintFile),
    secrets,
    desktop,
    log,
    ...(name === undefined ? {} : { name }),
    ...(given.remotePeerId === undefined ? {} : { remotePeerId: given.remotePeerId }),
    ...(given.keepaliveFor === undefined ? {} : { keepaliveFor: given.keepaliveFor }),
  });

  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(130);
      isStopping = true;
      void driver.stop();
    });
  }
  log("info", "driver started", { pid: process.pid, desktop: desktop.osInfo });
  driver.start();
  if (name !== undefined) {
    driver
      .connected()
      .then(() => names.keep(name))
      .catch((error: NodeJS.ErrnoException) => {
        log("warn", "the machine's name cannot be kept", { reason: error.code });
      });
  }
  const { exitCode, sentence } = ends[await driver.finished];
  log(exitCode === 0 ? "info" : "error", `driver ended: ${sentence}`, { exit_code: exitCode });
  return exitCode;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(state, "desktop-automation-driver");
}

/** @throws {Error} when the file holds no UUID, is open to others or cannot be made. */
async function readFingerprint(file: string): Promise<string> {
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
