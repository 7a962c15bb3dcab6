import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { importOfLazily, withLazySchemas } from "./lazy-schemas.ts";

const schemas = /[\\/]@modelcontextprotocol[\\/]core[\\/]dist[\\/][\w-]+\.mjs$/;
const server = /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[\w-]+\.mjs$/;

/** Names of fields, which the server reads from 136 schemas to check the forms that a tool shows: no tool here has any. */
const sets = /^const (ROOT_KEYS|SUPPORTED_STRING_FORMATS) = (new Set\(.*\));$/gm;
const setsByType = /^const PROPERTY_KEYS_BY_TYPE = (\{[^}]*\});$/m;

/** Two loops enter all schemas in lists that the SDK gives to its users alone: without them a bundle has 27 KB less. */
const lists = /^for \(const .* of (?:SPEC_SCHEMA_KEYS|Object\.entries\(authSchemas\))\) register\(.*\);$/gm;

/**
 * The Model Context Protocol's SDK makes its schemas while it is loaded; a bundle makes them when they are first used,
 * which takes a quarter of the load of the function for assistants. The build fails when the SDK has another layout.
 */
export const protocolSchemas: Plugin = {
  name: "protocol-schemas",
  setup(plugin) {
    plugin.onLoad({ filter: schemas }, async ({ path }) => ({
      contents: await withLazySchemas(await readFile(path, "utf8")),
    }));
    plugin.onLoad({ filter: server }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const hasAll =
        [sets, lists].every((part) => source.match(part)?.length === 2) && setsByType.test(source);
      if (!hasAll) throw new Error(`${path} has not what infra/bundle/schemas/protocol-schemas.ts replaces`);
      const contents = source
        // A set's own methods refuse a stand-in.
        .replace(sets, "const $1 = lazily(() => ({ has: Set.prototype.has.bind($2) }));")
        .replace(setsByType, "const PROPERTY_KEYS_BY_TYPE = lazily(() => ($1));")
        .replace(lists, "");
      return { contents: importOfLazily + contents };
    });
  },
};
