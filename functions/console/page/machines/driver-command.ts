interface DriverCommand {
  readonly url: string;
  readonly name: string;
  /** Without one the shell's `$DRIVER_KEY` is to have it. */
  readonly key: string | undefined;
}

/** The command for a desktop's shell. The key is in a variable: every user of the desktop may see a program's arguments. */
export function driverCommand({ url, name, key }: DriverCommand): string {
  return [
    `export DRIVER_KEY=${key ?? "…"}`,
    `npm run driver -- --url ${quoted(url)}${name === "" ? "" : ` --name ${quoted(name)}`}`,
  ].join("\n");
}

function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
