import type { LeftOut } from "./leave-out.ts";

/** An entry must save 1 ms or 3 KB in every function; each says what it saves of a bundle and of its load. */
export const leftOut: readonly LeftOut[] = [
  // Both together save 18 KB and 1 ms.
  {
    file: "zod/v4/core/json-schema-processors.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    file: "zod/v4/core/to-json-schema.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    // This saves 3.3 KB.
    file: "zod/v4/core/memoizer.js",
    reason: "follows values that contain themselves: what is parsed was JSON",
    // It is created with the first schema; zod/mini has none.
    instead: { memoizer: "export const memoizer = () => undefined;" },
  },
  {
    // This saves 19 KB and 6 ms.
    file: "@smithy/core/dist-es/submodules/event-streams/index.js",
    reason: "event streams: of S3 only SelectObjectContent has one",
    instead: {
      // Both are called while a client is created.
      resolveEventStreamSerdeConfig: "export const resolveEventStreamSerdeConfig = (input) => input;",
      eventStreamSerdeProvider: "export const eventStreamSerdeProvider = () => undefined;",
    },
  },
  {
    // This saves 8 KB.
    file: "@aws-sdk/endpoint-cache/dist-es/EndpointCache.js",
    reason: "keeps endpoints that a service names for itself: off, and no command used here asks for them",
    // It is created with every client of DynamoDB.
    instead: { EndpointCache: "export class EndpointCache {}" },
  },
  // Together these save 3 to 7 KB: Lambda's Node hashes natively.
  ...[
    "@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js",
    "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js",
    "@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js",
  ].map((file) => ({ file, reason: "hashes in JavaScript: Node has its own" })),
  {
    // This saves 1 ms in every function: reading the global crypto loads Node's Web Crypto.
    file: "@smithy/core/dist-es/submodules/serde/uuid/v4.js",
    reason: "makes UUIDs with Web Crypto: Node has its own",
    instead: {
      bindV4: 'import { randomUUID } from "node:crypto"; export const bindV4 = () => () => randomUUID();',
    },
  },
  {
    // This saves 3.4 KB, with the rate limiter that only it uses.
    file: "@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js",
    reason: "of the retry mode adaptive: all clients are made with standard",
  },
  {
    // This saves 10 KB and 6 ms in functions with a client of S3.
    file: "@aws-sdk/checksums/dist-es/submodules/flexible-checksums/getFlexibleChecksumsPlugin.js",
    reason: "checksums are made only where S3 requires one, which no operation used here does",
    // It is called with every command.
    instead: {
      getFlexibleChecksumsPlugin: `
        export const getFlexibleChecksumsPlugin = (config, { requestChecksumRequired }) => {
          if (requestChecksumRequired) throw new Error("S3 requires a checksum, which bundles cannot make");
          return { applyToStack() {} };
        };`,
    },
  },
  {
    // This saves 154 KB and what it takes to compile them, of the function for assistants.
    file: "@modelcontextprotocol/server/dist/shimsNode.mjs",
    reason: "checks what a client answered by a JSON Schema: no tool asks back",
    instead: {
      // One is made with every server.
      DefaultJsonSchemaValidator: `
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error("no schema is checked here"); }
        }`,
      process: 'export { default as process } from "node:process";',
    },
  },
];

/** The default credential chain reads these files. */
export const leftOutWithTheChain: readonly LeftOut[] = [
  {
    // This saves 120 KB and 20 ms.
    file: "@aws-sdk/credential-provider-node/dist-es/index.js",
    reason: "Lambda puts a function's credentials into its environment",
    instead: {
      defaultProvider: 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
    },
  },
  {
    // On a developer's machine the local stack's functions would otherwise read that person's ~/.aws.
    file: "@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js",
    reason: "a Lambda has no ~/.aws: settings come from the environment",
    instead: {
      loadSharedConfigFiles:
        "export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });",
    },
  },
];

export const leftOutOfParts: readonly LeftOut[] = [
  {
    // This saves 260 KB and 10 ms: the providers' packages keep all that zod exports.
    file: "zod/v4/locales/index.js",
    reason: "errors are in English",
  },
  {
    // This saves 90 KB and 6 ms.
    file: "@ai-sdk/gateway/dist/index.js",
    reason:
      "models are asked at their own providers, never through one that reads the environment for its key",
    instead: {
      GatewayAuthenticationError: "export const GatewayAuthenticationError = { isInstance: () => false };",
    },
  },
];
