import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

/** What all that is bundled for Lambda has in common. */
export const buildOptions = {
  absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
  bundle: true,
  minify: true,
  platform: "node",
  target: "node24",
  // This loads in 70 ms where an ES module takes 100.
  format: "cjs",
  // The loader runs a bundle as a script, which cannot import.
  supported: { "dynamic-import": false },
  // The SDK's ES modules can be tree-shaken, its CommonJS cannot.
  mainFields: ["module", "main"],
  define: {
    "process.env.NODE_ENV": '"production"',
    // With a navigator, jose and zod test for Cloudflare, for which Node loads modules of its own: 2 ms.
    navigator: "undefined",
  },
  legalComments: "none",
  write: false,
  logLevel: "silent",
} satisfies BuildOptions;
