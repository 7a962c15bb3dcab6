import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { createJwtSessionVerifier } from "../../../shared/http/jwt-session-verifier.ts";
import type { RateLimitSettings } from "../../../shared/http/http-deps.ts";
import { aMachine, anApiKey, anOrganization } from "../builders/entities.ts";
import { inMemoryStores } from "../fakes/in-memory-stores.ts";
import { captureLog } from "./captured-log.ts";
import { ScriptedChannel } from "./scripted-channel.ts";
import { audience, createTestIssuer, issuer, jwksUrl } from "./test-issuer.ts";

/** The dependencies of every route group, in memory, and ways to arrange a test. */
export async function createTestService() {
  const stores = inMemoryStores();
  const log = captureLog(stores.clock);
  const identity = await createTestIssuer(stores.clock);
  const channel = new ScriptedChannel();
  const keysByText = new Map<string, ApiKey>();
  const organizationId = anOrganization();
  const rateLimits: RateLimitSettings = { perApiKey: undefined };
  const deps = {
    ...stores,
    logger: log.logger,
    rateLimits,
    keyVerifier: { verify: async (text: string) => keysByText.get(text) },
    sessionVerifier: createJwtSessionVerifier({
      issuer,
      audience,
      jwksUrl,
      clock: stores.clock,
      fetch: identity.fetch,
    }),
    openChannel: () => channel,
    probeDatabase: async () => {},
    version: "1.2.3",
  };
  return {
    deps,
    stores,
    log,
    identity,
    channel,
    organizationId,
    /** The value of an Authorization header, of the service's organization unless another one is given. */
    authorize(fields: Partial<ApiKey> = {}): string {
      const key = anApiKey({ organizationId, ...fields });
      const text = `das_${key.id}_secret-of-${key.id}`;
      keysByText.set(text, key);
      return `Bearer ${text}`;
    },
    putMachine(fields: Partial<Machine> = {}): Machine {
      const machine = aMachine({ organizationId, ...fields });
      stores.machines.write(machine);
      return machine;
    },
  };
}

export type TestService = Awaited<ReturnType<typeof createTestService>>;
