import type { LeftOut } from "./leave-out.ts";

/**
 * Code of the clients and of zod that no function of ours ever runs. An entry that is called all the same throws and
 * names itself. An entry says what it saves of a bundle and of its load; what does not save 2 ms, or 3 KB in
 * every function, is not worth one.
 */
export const leftOut: readonly LeftOut[] = [
  // Both together 18 KB and 1 ms.
  {
    file: "zod/v4/core/json-schema-processors.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    file: "zod/v4/core/to-json-schema.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    // 3.3 KB.
    file: "zod/v4/core/memoizer.js",
    reason: "follows values that contain themselves: what is parsed was JSON",
    // Made with the first schema; zod/mini has none.
    instead: { memoizer: "export const memoizer = () => undefined;" },
  },
  {
    // 19 KB and 6 ms.
    file: "@smithy/core/dist-es/submodules/event-streams/index.js",
    reason: "event streams: of S3 only SelectObjectContent has one",
    instead: {
      // Both are called while a client is made.
      resolveEventStreamSerdeConfig: "export const resolveEventStreamSerdeConfig = (input) => input;",
      eventStreamSerdeProvider: "export const eventStreamSerdeProvider = () => undefined;",
    },
  },
  {
    // 8 KB, no time.
    file: "@aws-sdk/endpoint-cache/dist-es/EndpointCache.js",
    reason: "keeps endpoints that a service names for itself: off, and no command used here asks for them",
    // Made with every client of DynamoDB.
    instead: { EndpointCache: "export class EndpointCache {}" },
  },
  // All together 3 to 7 KB: Lambda's Node hashes natively, and no operation used here makes these checksums.
  ...[
    "@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js",
    "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js",
    "@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js",
  ].map((file) => ({ file, reason: "hashes in JavaScript: Node has its own" })),
  {
    // 3.4 KB, with the limiter of rates that only it uses.
    file: "@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js",
    reason: "of the retry mode adaptive: all clients are made with standard",
  },
  {
    // 10 KB and 6 ms in functions with a client of S3: its checksums have Node load zlib and web streams.
    file: "@aws-sdk/checksums/dist-es/submodules/flexible-checksums/getFlexibleChecksumsPlugin.js",
    reason: "checksums are made only where S3 requires one, which no operation used here does",
    // Made with every command.
    instead: {
      getFlexibleChecksumsPlugin: `
        export const getFlexibleChecksumsPlugin = (config, { requestChecksumRequired }) => {
          if (requestChecksumRequired) throw new Error("S3 requires a checksum, which bundles cannot make");
          return { applyToStack() {} };
        };`,
    },
  },
];

/** Left out with the default credential chain, which reads the same files. */
export const leftOutWithTheChain: readonly LeftOut[] = [
  {
    // 120 KB and 20 ms.
    file: "@aws-sdk/credential-provider-node/dist-es/index.js",
    reason: "Lambda puts a function's credentials into its environment",
    instead: {
      defaultProvider: 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
    },
  },
  {
    // Not for speed: on a developer's machine the local stack's functions would follow that person's ~/.aws.
    file: "@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js",
    reason: "a Lambda has no ~/.aws: settings come from the environment",
    instead: {
      loadSharedConfigFiles:
        "export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });",
    },
  },
];

/** The same for parts that are loaded later. */
export const leftOutOfParts: readonly LeftOut[] = [
  {
    // 260 KB and 10 ms: the providers' packages keep all that zod exports.
    file: "zod/v4/locales/index.js",
    reason: "errors are in English",
  },
  {
    // 90 KB and 6 ms.
    file: "@ai-sdk/gateway/dist/index.js",
    reason:
      "models are asked at their own providers, never through one that reads the environment for its key",
    instead: {
      // Asked of each error.
      GatewayAuthenticationError: "export const GatewayAuthenticationError = { isInstance: () => false };",
    },
  },
];
