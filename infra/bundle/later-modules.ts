import type { Plugin } from "esbuild";

/** Node's modules that few requests of most functions need, and their functions that a bundle may call. */
const later: Readonly<Record<string, readonly string[]>> = {
  // This saves 1.2 ms of each load of `executor` and `trajectories`; almost every request of `logs` needs it.
  "node:zlib": [
    "brotliDecompress",
    "crc32",
    "deflateRawSync",
    "deflateSync",
    "gzip",
    "inflateRawSync",
    "inflateSync",
  ],
  // This saves 0.7 ms of each load of `webhooks`, which sends nothing but tests.
  "node:dns/promises": ["lookup"],
};

/** A bundle loads these modules with the first call of one of their functions. */
export const laterModules: Plugin = {
  name: "later-modules",
  setup(plugin) {
    const namespace = "later-modules";
    const filter = new RegExp(`^(?:${Object.keys(later).join("|")})$`);
    plugin.onResolve({ filter }, ({ path }) => ({ path, namespace, sideEffects: false }));
    plugin.onLoad({ filter, namespace }, ({ path }) => ({
      contents: (later[path] ?? [])
        .map(
          (name) =>
            `export const ${name} = (...given) => process.getBuiltinModule("${path}").${name}(...given);`,
        )
        .join("\n"),
    }));
  },
};
