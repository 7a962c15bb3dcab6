import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

/** All bundles for Lambda are built with these options. */
export const buildOptions = {
  absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
  bundle: true,
  minify: true,
  platform: "node",
  target: "node24",
  // A CommonJS bundle loads in 70 ms, an ES module in 100.
  format: "cjs",
  // The loader runs a bundle as a script, which cannot import.
  supported: { "dynamic-import": false },
  // The SDK's ES modules can be tree-shaken, its CommonJS cannot.
  mainFields: ["module", "main"],
  define: {
    "process.env.NODE_ENV": '"production"',
    // jose and zod read a navigator to detect Cloudflare, and reading Node's takes 2 ms.
    navigator: "undefined",
  },
  legalComments: "none",
  write: false,
  logLevel: "silent",
} satisfies BuildOptions;
