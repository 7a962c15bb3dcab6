import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { collectReply } from "./collect-reply.ts";
import { Sha256 } from "./sha256.ts";

type Logger = NonNullable<DynamoDBClientConfig["logger"]>;

const ignore = () => undefined;

/**
 * For `info` and `error`, the SDK copies what each call sends and gets, even where the logger drops it, as the default
 * one does. Without the two functions it makes no copy; the others are called without a check.
 */
const logger = { trace: ignore, debug: ignore, warn: ignore } as Logger;

/**
 * Region, credentials and endpoint come from the environment that Lambda gives. Inside a Region a connection opens
 * within milliseconds: a call that takes longer is aborted and retried, inside the 30 s that a caller has.
 */
export const clientSettings = {
  logger,
  sha256: Sha256,
  streamCollector: collectReply,
  maxAttempts: 3,
  retryMode: "standard",
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    // Without this option the SDK only warns.
    throwOnRequestTimeout: true,
    // A reply's own time limit is `bounded`'s.
    socketTimeout: 0,
  },
} as const;
