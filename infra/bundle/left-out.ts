import type { LeftOut } from "./leave-out.ts";

/**
 * What the clients and zod bring along and no function of ours ever runs. Each one that is called all the same
 * throws and names itself. An entry says what it saves of a bundle and of its load; what does not save 2 ms, or 3 KB in
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
  // All together 3 to 8 KB: Lambda's Node hashes natively, and no operation used here makes these checksums.
  ...[
    "@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js",
    "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js",
    "@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js",
    "@aws-sdk/checksums/dist-es/submodules/crc/crc64-nvme/Crc64NvmeJs.js",
  ].map((file) => ({ file, reason: "hashes in JavaScript: Node has its own" })),
  // Both together 6 ms in functions with a client of S3: Node loads zlib for the one, its web streams for the other.
  {
    file: "@smithy/core/dist-es/submodules/checksum/crc32/Crc32Node.js",
    reason: "checksums are made only where S3 requires one, which no operation used here does",
  },
  {
    file: "@smithy/core/dist-es/submodules/serde/util-stream/checksum/createChecksumStream.browser.js",
    reason: "Node's HTTP gives Node's streams, never web streams",
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
