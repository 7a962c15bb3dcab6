import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { keptMiddleware } from "./kept-middleware.ts";
import { metered } from "./metered.ts";

/** @param settings is for tests: region, credentials and endpoint come from the environment. */
export function createDynamoDbClient(settings: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({ ...clientSettings, ...settings });
  makeOneAttempt(client);
  keepSigner(client);
  return keptMiddleware(metered("dynamodb", bounded(client)));
}

/**
 * `DynamoTable` retries by itself: the SDK pauses half a second after a throttle that is over within milliseconds, and
 * prepares an error for each call. Other middleware is placed by the name of the replaced one.
 */
function makeOneAttempt({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add((next) => next, {
    name: "retryMiddleware",
    step: "finalizeRequest",
    priority: "high",
    override: true,
  });
}

/** The SDK makes a signer for each call; it reads the credentials each time, and the Region is the client's own. */
function keepSigner({ config }: DynamoDBClient): void {
  const { signer } = config;
  let made: ReturnType<typeof signer> | undefined;
  config.signer = (scheme) => {
    made ??= signer(scheme);
    return made;
  };
}
