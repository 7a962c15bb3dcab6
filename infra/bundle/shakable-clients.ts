import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * The schemas of a client's operations never called cannot be left out while their keys are computed from constants
 * (`{ [_h]: … }`): for a bundler that may run code. Written with the constants' own text, they can.
 *
 * Nor can its classes of errors, since each is registered. Those that no source of ours names are not: such an error
 * comes as the client's base class, with the same name, message and metadata.
 *
 * @param isNamed whether the source names that class of errors.
 */
export function shakableSchemas(isNamed: (errorClass: string) => boolean): Plugin {
  return {
    name: "shakable-schemas",
    setup(plugin) {
      plugin.onLoad(
        { filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/ },
        async ({ path }) => {
          const source = await readFile(path, "utf8");
          return { contents: withoutErrors(withPlainKeys(source, path), path, isNamed) };
        },
      );
    },
  };
}

/** Of a client's manifest only the version is read: it is part of the user agent. */
export const versionOnly: Plugin = {
  name: "version-only",
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8")) as { readonly version?: string };
      if (version === undefined) throw new Error(`${path} has no version`);
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

function withPlainKeys(source: string, path: string): string {
  const constants = new Map(
    [...source.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]),
  );
  if (constants.size === 0) throw changed(path, "constants of text");
  return source.replace(/\[(_\w+)\]:/g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : `${text}:`;
  });
}

function withoutErrors(source: string, path: string, isNamed: (errorClass: string) => boolean): string {
  const registration = /^n0_registry\.registerError\((\w+)\$, \1\);$/gm;
  const all = source.match(/n0_registry\.registerError\(/g)?.length ?? 0;
  if (all === 0 || all !== source.match(registration)?.length) throw changed(path, "registrations of errors");
  return source.replace(registration, (line, errorClass: string) => (isNamed(errorClass) ? line : ""));
}

function changed(path: string, what: string): Error {
  return new Error(`${path} has no ${what} where infra/bundle/shakable-clients.ts expects them`);
}
