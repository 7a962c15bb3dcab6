import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import { recordOperation } from "../../../shared/domain/demonstration/record-operation.ts";
import type { PersonalCall } from "../../../shared/domain/hold/personal-actions.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import type { KeyCheck } from "../../../shared/domain/provider/validate-provider-credential.ts";
import { recordPersonalSteps } from "../../../shared/domain/run-progress/record-personal-steps.ts";
import { createJwtSessionVerifier } from "../../../shared/http/access/jwt-session-verifier.ts";
import type { RateLimitSettings } from "../../../shared/http/http-deps.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import { mintApiKey, mintOwnApiKey, parseApiKey } from "../../../shared/secrets/api-key-text.ts";
import { CachedKeyVerifier } from "../../../shared/secrets/cached-key-verifier.ts";
import { otpauthCodes } from "../../../shared/secrets/otpauth-codes.ts";
import { anApiKey, anOrganization } from "../builders/entities.ts";
import { createModelStores } from "../stores/model-stores.ts";
import { captureLog } from "./captured-log.ts";
import { ScriptedChannel } from "./scripted-channel.ts";
import { audience, createTestIssuer, issuer, jwksUrl } from "./test-issuer.ts";

export async function createTestService() {
  const stores = createModelStores();
  const log = captureLog(stores.clock);
  const identity = await createTestIssuer(stores.clock);
  const channel = new ScriptedChannel();
  const keysById = new Map<string, ApiKey>();
  const organizationId = anOrganization();
  const rateLimits: RateLimitSettings = { perApiKey: 0, perOrganization: 0 };
  const deps = {
    ...stores,
    personalActions: {
      record: async (call: PersonalCall): Promise<void> =>
        await (call.held.recordingId === null ? recordPersonalSteps : recordOperation)(
          { ...stores, logger: log.logger, pictures: pngCodec },
          call,
        ),
    },
    logger: log.logger,
    rateLimits,
    keyVerifier: new CachedKeyVerifier({
      apiKeys: { find: async (keyId) => keysById.get(keyId), noteUse: async () => {} },
      clock: stores.clock,
    }),
    sessionVerifier: createJwtSessionVerifier({
      issuer,
      audience,
      jwksUrl,
      maxAgeSeconds: 43_200,
      clock: stores.clock,
      fetch: identity.fetch,
    }),
    trajectoryReader: zodTrajectoryReader,
    pictures: pngCodec,
    codes: otpauthCodes,
    inputChecker: new AjvInputChecker({ clock: stores.clock }),
    organizationCallsMax: 200,
    attachmentDays: 90,
    openChannel: () => channel,
    probeDatabase: async () => {},
    version: "1.2.3",
    mintApiKey: mintOwnApiKey,
    keyChecker: { check: async (): Promise<KeyCheck> => ({ kind: "accepted" }) },
  };
  return {
    deps,
    stores,
    callbacks: stores.callbacks,
    log,
    identity,
    channel,
    organizationId,
    /** The value of an Authorization header, of the service's organization unless another one is given. */
    authorize(fields: Partial<ApiKey> = {}): string {
      const { id, text, digest } = mintApiKey();
      keysById.set(id, anApiKey({ organizationId, ...fields, id, secretDigest: digest }));
      return `Bearer ${text}`;
    },
    changeKey(authorization: string, change: Partial<ApiKey>): void {
      const key = keysById.get(parseApiKey(authorization.slice("Bearer ".length))?.id ?? "");
      if (key === undefined) throw new Error("there is no such key");
      keysById.set(key.id, { ...key, ...change });
      stores.clock.advance(30_000);
    },
    putMachine: (fields: Partial<Machine> = {}) => stores.put.machine({ organizationId, ...fields }),
    putPool: (fields: Partial<Pool> = {}) => stores.put.pool({ organizationId, ...fields }),
  };
}

interface App {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

/** Sends JSON to an app, or to the path's, with these credentials unless the headers have others. */
export function sending(
  to: App | ((path: string, method: string) => App),
  authorization: string,
  under = "",
) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    await (typeof to === "function" ? to(path, method) : to).request(under + path, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

export function asking(...to: Parameters<typeof sending>) {
  const send = sending(...to);
  return async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, json: text === "" ? undefined : JSON.parse(text) };
  };
}

export type TestService = Awaited<ReturnType<typeof createTestService>>;
