import { AwsError } from "./aws-error.ts";
import type { GrantLog } from "./grants.ts";
import { localAccount, localRegion } from "./local-account.ts";
import { type AccessRequest, evaluatePolicies } from "./policy.ts";
import { type PolicyDocument, parsePolicyDocument } from "./policy-document.ts";

export interface PrincipalInput {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A call with this key and another token, or none, is refused. */
  readonly sessionToken?: string;
  readonly functionName: string;
  readonly roleName?: string;
  /** Policies must have every intrinsic resolved; "admin" may do everything. */
  readonly policies: readonly unknown[] | "admin";
}

export interface Principal extends Omit<PrincipalInput, "policies"> {
  readonly roleName: string;
  readonly arn: string;
  readonly policies: readonly PolicyDocument[] | "admin";
}

export class Principals {
  readonly #byAccessKeyId = new Map<string, Principal>();
  readonly #grants: GrantLog;

  constructor(grants: GrantLog) {
    this.#grants = grants;
  }

  /** @throws {Error} when a policy cannot be evaluated. */
  register(input: PrincipalInput): Principal {
    const { policies, roleName = input.functionName, ...identity } = input;
    const principal: Principal = {
      ...identity,
      roleName,
      arn: `arn:aws:sts::${localAccount}:assumed-role/${roleName}/${input.functionName}`,
      policies: policies === "admin" ? "admin" : policies.map(parsePolicyDocument),
    };
    if (principal.policies !== "admin") this.#grants.add(roleName, input.functionName, principal.policies);
    this.#byAccessKeyId.set(input.accessKeyId, principal);
    return principal;
  }

  remove(accessKeyId: string): void {
    this.#byAccessKeyId.delete(accessKeyId);
  }

  find(accessKeyId: string): Principal | undefined {
    return this.#byAccessKeyId.get(accessKeyId);
  }

  refusal(principal: Principal, requests: readonly AccessRequest[]): AwsError | undefined {
    if (principal.policies === "admin") return undefined;
    for (const request of requests) {
      const context = { ...this.#commonContext(principal), ...request.context };
      const verdict = evaluatePolicies(principal.policies, { ...request, context });
      if (verdict.kind === "denied") return denial(principal, request, verdict.by);
      this.#grants.note(principal.roleName, verdict.by, request);
    }
    return undefined;
  }

  #commonContext(principal: Principal) {
    return {
      "aws:PrincipalArn": principal.arn,
      "aws:PrincipalAccount": localAccount,
      "aws:ResourceAccount": localAccount,
      "aws:RequestedRegion": localRegion,
      // Deployed, every call goes over TLS; here plain HTTP on loopback stands in for it.
      "aws:SecureTransport": "true",
    };
  }
}

function denial(principal: Principal, request: AccessRequest, by: "no_allow" | "deny"): AwsError {
  const reason =
    by === "deny"
      ? `with an explicit deny in an identity-based policy`
      : `because no identity-based policy allows the ${request.action} action`;
  return new AwsError(
    400,
    "AccessDeniedException",
    `User: ${principal.arn} is not authorized to perform: ${request.action} on resource: ${request.resource} ${reason}`,
  );
}
