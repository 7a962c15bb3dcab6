import { loadBundle, readCodeCache } from "./code-cache.ts";

/** The build puts this module beside each function's bundle; its handler is what Lambda calls. */
const cache = readCodeCache(__dirname);
const { exports, script } = loadBundle(__dirname, require, typeof cache === "string" ? undefined : cache);
const unused = script.cachedDataRejected === true ? "rejected" : cache;
// Its modules are loaded only now: the logger takes as long as the rest of the loader.
if (typeof unused === "string") void import("./unused-code-cache.ts").then(({ report }) => report(unused));

const { handler } = exports as { readonly handler: unknown };
module.exports = { handler };
