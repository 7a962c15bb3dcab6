import { parseArgs } from "node:util";
import { isLoopbackUrl } from "./loopback-url.ts";

export const usage = `Connects this desktop to the service.

usage: npm run driver -- --url wss://... --key ... [options]

  --url URL                the service's WebSocket address; ws:// only to this machine
  --key KEY                the machine API key; better one of the next two, as a list
                           of processes shows arguments
  --key-file FILE          a file that holds the key, - for standard input
                           (or the environment variable DRIVER_KEY)
  --ticket TICKET          a ticket of authorize-connection instead of a key, good for
                           one connection (or the environment variable DRIVER_TICKET)
  --ticket-file FILE       a file that holds the ticket, - for standard input
  --fingerprint-file FILE  the UUID of this installation, made when missing
                           (default: desktop-automation-driver/fingerprint in the
                           user's state folder)
  --name NAME              the machine's name
  --allow-host HOST        the driver follows the service there when it moves to another
                           address; may be given several times
  --remote-peer-id ID      the peer that a ticket was made for
  --keepalive-for ID       the machine that this connection keeps alive

  --display DISPLAY        the X display (default: DISPLAY)
  --programs FILE          the programs that callers may open by their names: JSON (README.md)
  --forward URL            hand the requests to a local HTTP server instead
  --allow-remote-forward   the server of --forward may be on another machine

  --root DIR               files are read and written in here only (default:
                           desktop-automation in the home folder, made when missing)
  --no-shell               refuse shell commands
  --allow-shell            take shell commands (default)
  --shell-user NAME        run shell commands as another user, who cannot read the key;
                           as root, or where sudo -n allows it

  --help                   this text

Exit codes: 0 stopped or shut down, 1 failure, 2 wrong usage, 3 the service ended it
(key refused or revoked, machine deleted), 4 another driver took over, 5 the ticket is used up.
`;

export type DesktopChoice =
  | { readonly kind: "x11"; readonly display: string | undefined; readonly programsFile: string | undefined }
  | { readonly kind: "forward"; readonly url: URL; readonly programsFile: string | undefined };

export interface DriverArguments {
  readonly url: string;
  readonly credential:
    | { readonly kind: "key"; readonly key: string }
    | { readonly kind: "key_file" | "ticket_file"; readonly file: string }
    | { readonly kind: "ticket"; readonly ticket: string };
  readonly fingerprintFile: string | undefined;
  readonly name: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly remotePeerId: string | undefined;
  readonly keepaliveFor: string | undefined;
  readonly desktop: DesktopChoice;
  readonly root: string | undefined;
  readonly allowShell: boolean;
  readonly shellUser: string | undefined;
}

/** The message is a sentence for the user and never contains a secret. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const driverOptions = {
  url: { type: "string" },
  key: { type: "string" },
  "key-file": { type: "string" },
  ticket: { type: "string" },
  "ticket-file": { type: "string" },
  "fingerprint-file": { type: "string" },
  name: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "remote-peer-id": { type: "string" },
  "keepalive-for": { type: "string" },
  display: { type: "string" },
  programs: { type: "string" },
  forward: { type: "string" },
  "allow-remote-forward": { type: "boolean" },
  root: { type: "string" },
  "allow-shell": { type: "boolean" },
  "no-shell": { type: "boolean" },
  "shell-user": { type: "string" },
  help: { type: "boolean" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: driverOptions, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Node's own sentence repeats a stray argument, which may be half of a key.
    const problem =
      code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"
        ? "an argument belongs to no option"
        : error instanceof Error
          ? error.message.split(". ")[0]
          : "wrong arguments";
    throw new UsageError(`${problem}; --help lists what there is`);
  }
}

type Options = ReturnType<typeof parseOptions>;

export function withoutCredential(args: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({ args: [...args], options: driverOptions, tokens: true });
  const left = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || (token.name !== "key" && token.name !== "ticket")) continue;
    left.add(token.index);
    if (token.inlineValue === false) left.add(token.index + 1);
  }
  return args.filter((_, index) => !left.has(index));
}

function parseUrl(text: string, option: string, protocols: readonly string[]): URL {
  const url = URL.parse(text);
  if (url === null || !protocols.includes(url.protocol)) {
    throw new UsageError(`${option} must be an address that starts with ${protocols.join("// or ")}//`);
  }
  if (url.username !== "" || url.password !== "")
    throw new UsageError(`${option} takes no user and password`);
  return url;
}

function hostOf(text: string): string {
  const url = URL.parse(`wss://${text}`);
  if (url !== null && url.host === text.toLowerCase()) return url.host;
  throw new UsageError("--allow-host takes a host name alone, such as desktops.example.com");
}

function credentialOf(options: Options, env: Environment): DriverArguments["credential"] {
  const sources = [options.key, options["key-file"], options.ticket, options["ticket-file"]];
  if (sources.filter((value) => value !== undefined).length > 1) {
    throw new UsageError("give one of --key, --key-file, --ticket and --ticket-file");
  }
  if (options["key-file"] !== undefined) return { kind: "key_file", file: options["key-file"] };
  if (options["ticket-file"] !== undefined) return { kind: "ticket_file", file: options["ticket-file"] };
  if (options.ticket !== undefined) return { kind: "ticket", ticket: options.ticket };
  if (options.key !== undefined) return { kind: "key", key: options.key };
  if (env.DRIVER_KEY) return { kind: "key", key: env.DRIVER_KEY };
  if (env.DRIVER_TICKET) return { kind: "ticket", ticket: env.DRIVER_TICKET };
  throw new UsageError("a key is missing: set DRIVER_KEY, or give --key-file or --key");
}

function desktopOf(options: Options, env: Environment): DesktopChoice {
  const programsFile = options.programs;
  if (options.forward === undefined) {
    return { kind: "x11", display: options.display ?? env.DISPLAY, programsFile };
  }
  const url = parseUrl(options.forward, "--forward", ["http:", "https:"]);
  if (!isLoopbackUrl(url) && options["allow-remote-forward"] !== true) {
    throw new UsageError("--forward leads to another machine: add --allow-remote-forward if that is meant");
  }
  return { kind: "forward", url, programsFile };
}

/** @returns undefined when help is requested. @throws {UsageError} */
export function parseDriverArguments(args: readonly string[], env: Environment): DriverArguments | undefined {
  const options = parseOptions(args);
  if (options.help === true) return undefined;
  if (options.url === undefined) throw new UsageError("--url is missing: the service's WebSocket address");
  const url = parseUrl(options.url, "--url", ["wss:", "ws:"]);
  if (url.protocol === "ws:" && !isLoopbackUrl(url)) {
    throw new UsageError("--url must start with wss:// : over ws:// the key could be read on the way");
  }
  if (options["allow-shell"] === true && options["no-shell"] === true) {
    throw new UsageError("give one of --allow-shell and --no-shell");
  }
  const allowShell = options["no-shell"] !== true;
  const shellUser = options["shell-user"];
  if (shellUser !== undefined && (!allowShell || options.forward !== undefined)) {
    throw new UsageError("--shell-user is given, and this driver runs no shell commands");
  }
  return {
    url: options.url,
    credential: credentialOf(options, env),
    fingerprintFile: options["fingerprint-file"],
    name: options.name,
    allowedHosts: (options["allow-host"] ?? []).map(hostOf),
    remotePeerId: options["remote-peer-id"],
    keepaliveFor: options["keepalive-for"],
    desktop: desktopOf(options, env),
    root: options.root,
    allowShell,
    shellUser,
  };
}
