import { parseArgs } from "node:util";

export const usage = `Runs the whole service on this machine.

usage: npm start -- [options]

  --port N        the port of both APIs (default: 8080; 0 takes any free one)
  --data DIR      keep tables, secrets and files in this folder (default: in memory)
  --desktop KIND  the desktop to connect: simulated, with a demo program (the default),
                  or x11: DISPLAY, or a display of its own by Xvfb
  --verbose       print the phases of the start and what the functions log
  --help          this text
`;

const defaultPort = 8080;

const desktopKinds = ["simulated", "x11"] as const;
export type DesktopKind = (typeof desktopKinds)[number];

const strayArgument = "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL";

export type StartArguments = {
  readonly port: number;
  readonly dataDir: string | undefined;
  readonly desktop: DesktopKind;
  readonly verbose: boolean;
};

class UsageError extends Error {
  override readonly name = "UsageError";
}

function parsePort(text: string | undefined): number {
  if (text === undefined) return defaultPort;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, not ${text}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        data: { type: "string" },
        desktop: { type: "string", default: "simulated" },
        verbose: { type: "boolean" },
        help: { type: "boolean" },
      },
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    const sentence = error instanceof Error ? (error.message.split(". ")[0] ?? "") : "wrong arguments";
    const isStray = error instanceof Error && "code" in error && error.code === strayArgument;
    // npm consumes options before two dashes, and passes on only their values.
    const advice = isStray
      ? "options go after two dashes: npm start -- --port 8081"
      : "--help lists what there is";
    throw new UsageError(`${sentence.replace(/\.$/, "")}; ${advice}`);
  }
}

/** @returns undefined when help is requested. */
export function parseStartArguments(args: readonly string[]): StartArguments | undefined {
  const { help, port, data, verbose, ...given } = parse(args);
  if (help === true) return undefined;
  if (data === "") throw new UsageError("--data takes the name of a folder");
  const desktop = desktopKinds.find((kind) => kind === given.desktop);
  if (desktop === undefined) {
    throw new UsageError(`--desktop takes ${desktopKinds.join(" or ")}, not ${given.desktop}`);
  }
  return { port: parsePort(port), dataDir: data, desktop, verbose: verbose ?? false };
}
