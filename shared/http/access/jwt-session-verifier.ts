import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { v5, validate } from "uuid";
import type { Caller } from "../../domain/access/caller.ts";
import type { SessionVerifier } from "../../domain/access/credentials.ts";
import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";
import { isOrganizationId } from "../../domain/organization-id.ts";
import type { OwnScope } from "../../vocabulary/access.ts";

export interface JwtSessionVerifierOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** Older tokens, by `iat`, are refused, however late they expire. */
  readonly maxAgeSeconds: number;
  /** The claim with the user's roles in the organization. @default none: every user is an administrator */
  readonly rolesClaim?: string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly fetch?: FetchImplementation;
}

/** All algorithms are asymmetric: with a shared secret, a verifier could sign too, and `none` needs no key. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const clockToleranceSeconds = 5;

const subjectCharactersMax = 255;

/** These errors mean that the issuer's keys are unavailable, not that the token is invalid. */
const keysAway = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

export function createJwtSessionVerifier(options: JwtSessionVerifierOptions): SessionVerifier {
  let keys: JWTVerifyGetKey | undefined;
  return {
    async verify(token) {
      keys ??= createRemoteJWKSet(new URL(options.jwksUrl), {
        cacheMaxAge: 600_000,
        // A token with an unknown key id makes the verifier read the set again, at most this often.
        cooldownDuration: 30_000,
        timeoutDuration: 3_000,
        ...(options.fetch === undefined ? {} : { [customFetch]: options.fetch }),
      });
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: options.issuer,
          audience: options.audience,
          algorithms,
          requiredClaims: ["exp", "iat", "sub", "org_id"],
          maxTokenAge: options.maxAgeSeconds,
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(options.clock.now()),
        });
        return callerOfClaims(options, payload);
      } catch (cause) {
        if (cause instanceof errors.JOSEError && !keysAway.has(cause.code)) return undefined;
        throw new DomainError(
          "service_unavailable",
          "the issuer's keys cannot be read now, so that the token cannot be verified",
          { cause, retryAfterSeconds: 5 },
        );
      }
    },
  };
}

const administering: readonly OwnScope[] = ["read", "write", "admin"];

/** Scopes of the roles that identity providers know; a user without any of them has none. */
const scopesOfRoles: Readonly<Record<string, readonly OwnScope[]>> = {
  owner: administering,
  admin: administering,
  member: ["read", "write"],
  viewer: ["read"],
};

/** A claim is a role or a list of roles; some issuers write `org:admin`. Other prefixes are roles in something else. */
function scopesOf(claims: JWTPayload, rolesClaim: string | undefined): readonly OwnScope[] {
  if (rolesClaim === undefined) return administering;
  const roles = [claims[rolesClaim]].flat().map((role) => String(role).replace(/^org:/, ""));
  const scopes = roles.flatMap((role) => (Object.hasOwn(scopesOfRoles, role) ? scopesOfRoles[role] : []));
  return [...new Set(scopes)].filter((scope) => scope !== undefined);
}

function callerOfClaims(
  {
    issuer,
    rolesClaim,
    maxAgeSeconds,
  }: Pick<JwtSessionVerifierOptions, "issuer" | "rolesClaim" | "maxAgeSeconds">,
  claims: JWTPayload,
): Caller | undefined {
  const { sub, org_id: organization, exp = 0, iat = 0 } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > subjectCharactersMax) return undefined;
  if (!sub.isWellFormed()) return undefined;
  if (!isOrganizationId(organization)) return undefined;
  const userId = validate(sub) ? sub.toLowerCase() : v5(sub, v5(issuer, v5.URL));
  return {
    kind: "session",
    organizationId: organization,
    userId,
    principal: userId,
    keyId: null,
    scopes: scopesOf(claims, rolesClaim),
    sessionEndsAtMs: Math.min(exp, iat + maxAgeSeconds) * 1_000,
  };
}
