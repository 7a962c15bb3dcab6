import type { LeftOut } from "./leave-out.ts";

/**
 * What the clients and zod bring along and no function of ours ever runs. Each one that is called all the same
 * throws and names itself.
 */
export const leftOut: readonly LeftOut[] = [
  {
    file: "zod/v4/core/json-schema-processors.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    file: "zod/v4/core/to-json-schema.js",
    reason: "turns schemas into JSON Schema: done by nobody at run time",
  },
  {
    file: "zod/v4/locales/index.js",
    reason: "messages in some fifty languages: the service answers in English and with its own",
    instead: { en: 'export { default as en } from "./en.js";' },
  },
  {
    file: "@smithy/core/dist-es/submodules/event-streams/index.js",
    reason: "event streams: of S3 only SelectObjectContent has one",
    instead: {
      // Both are called while a client is made.
      resolveEventStreamSerdeConfig: "export const resolveEventStreamSerdeConfig = (input) => input;",
      eventStreamSerdeProvider: "export const eventStreamSerdeProvider = () => undefined;",
    },
  },
  {
    file: "@aws-sdk/endpoint-cache/dist-es/EndpointCache.js",
    reason: "keeps endpoints that a service names for itself: off, and no command used here asks for them",
    // Made with every client of DynamoDB.
    instead: { EndpointCache: "export class EndpointCache {}" },
  },
  {
    file: "@aws-sdk/signature-v4-multi-region/dist-es/SignatureV4MultiRegion.js",
    reason: "signs for multi-Region access points and S3 Express: the bucket is a plain one of one Region",
    instead: {
      SignatureV4MultiRegion: `
        import { SignatureV4 } from "@smithy/signature-v4";
        export class SignatureV4MultiRegion extends SignatureV4 {
          static sigv4aDependency() {
            return "none";
          }
        }`,
    },
  },
  {
    file: "@aws-sdk/signature-v4-multi-region/dist-es/SignatureV4SignWithCredentials.js",
    reason: "as above",
  },
  { file: "@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js", reason: "Lambda's Node hashes natively" },
  {
    file: "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js",
    reason: "Lambda's Node hashes natively",
  },
  {
    file: "@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js",
    reason: "Lambda's Node hashes natively",
  },
  {
    file: "@aws-sdk/checksums/dist-es/submodules/crc/crc64-nvme/Crc64NvmeJs.js",
    reason: "checksums are made only where S3 requires one, which no operation used here does",
  },
  {
    // Node loads zlib for it, 2 ms.
    file: "@smithy/core/dist-es/submodules/checksum/crc32/Crc32Node.js",
    reason: "checksums are made only where S3 requires one, which no operation used here does",
  },
  {
    // Its class extends ReadableStream, for which Node loads its web streams, 3 ms.
    file: "@smithy/core/dist-es/submodules/serde/util-stream/checksum/createChecksumStream.browser.js",
    reason: "Node's HTTP gives Node's streams, never web streams",
  },
  {
    file: "@smithy/core/dist-es/submodules/retry/util-retry/DefaultRateLimiter.js",
    reason: "of the retry mode adaptive: all clients are made with standard",
  },
];

/** Left out with the default credential chain, which reads the same files. */
export const leftOutWithTheChain: readonly LeftOut[] = [
  {
    file: "@aws-sdk/credential-provider-node/dist-es/index.js",
    reason: "Lambda puts a function's credentials into its environment",
    instead: {
      defaultProvider: 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
    },
  },
  {
    file: "@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js",
    reason: "a Lambda has no ~/.aws: settings come from the environment",
    instead: {
      loadSharedConfigFiles:
        "export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });",
    },
  },
];
